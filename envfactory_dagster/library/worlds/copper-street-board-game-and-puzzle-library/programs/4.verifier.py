def goal_says_free_seats_18_november(world) -> bool:
    """Says how many seats were free on 18 November."""
    own = world.initial.one(
        "SELECT e.id, substr(e.starts_at, 1, 10) AS day, h.id AS turn_id, coalesce((SELECT sum(t.seats) FROM play_tables t WHERE NOT EXISTS"
        " (SELECT 1 FROM table_bookings b WHERE b.club_evening_id = e.id AND b.play_table_id = t.id"
        " AND b.status <> 'cancelled')), 0) AS seats"
        " FROM club_evenings e JOIN hosting_turns h ON h.club_evening_id = e.id"
        " WHERE h.member_id = 1 AND h.status = 'signed_up' AND substr(e.starts_at, 1, 10) = '2026-11-18'"
    )
    return world.report.says("free_seats_18_november", own["seats"])


def goal_says_free_seats_best_other(world) -> bool:
    """Says how many seats were free on the roomiest other evening that still needed a host."""
    best = world.initial.one(
        "SELECT e.id, substr(e.starts_at, 1, 10) AS day, coalesce((SELECT sum(t.seats) FROM play_tables t WHERE NOT EXISTS"
        " (SELECT 1 FROM table_bookings b WHERE b.club_evening_id = e.id AND b.play_table_id = t.id"
        " AND b.status <> 'cancelled')), 0) AS seats"
        " FROM club_evenings e WHERE e.status = 'planned'"
        " AND substr(e.starts_at, 1, 10) BETWEEN '2026-11-19' AND '2026-12-04' AND NOT EXISTS"
        " (SELECT 1 FROM hosting_turns h WHERE h.club_evening_id = e.id AND h.status <> 'given_back')"
        " ORDER BY seats DESC LIMIT 1"
    )
    return world.report.says("free_seats_best_other", best["seats"])


def goal_says_evening_hosted(world) -> bool:
    """Says which evening the user hosts now."""
    own = world.initial.one(
        "SELECT e.id, substr(e.starts_at, 1, 10) AS day, h.id AS turn_id, coalesce((SELECT sum(t.seats) FROM play_tables t WHERE NOT EXISTS"
        " (SELECT 1 FROM table_bookings b WHERE b.club_evening_id = e.id AND b.play_table_id = t.id"
        " AND b.status <> 'cancelled')), 0) AS seats"
        " FROM club_evenings e JOIN hosting_turns h ON h.club_evening_id = e.id"
        " WHERE h.member_id = 1 AND h.status = 'signed_up' AND substr(e.starts_at, 1, 10) = '2026-11-18'"
    )
    best = world.initial.one(
        "SELECT e.id, substr(e.starts_at, 1, 10) AS day, coalesce((SELECT sum(t.seats) FROM play_tables t WHERE NOT EXISTS"
        " (SELECT 1 FROM table_bookings b WHERE b.club_evening_id = e.id AND b.play_table_id = t.id"
        " AND b.status <> 'cancelled')), 0) AS seats"
        " FROM club_evenings e WHERE e.status = 'planned'"
        " AND substr(e.starts_at, 1, 10) BETWEEN '2026-11-19' AND '2026-12-04' AND NOT EXISTS"
        " (SELECT 1 FROM hosting_turns h WHERE h.club_evening_id = e.id AND h.status <> 'given_back')"
        " ORDER BY seats DESC LIMIT 1"
    )
    chosen = best if best["seats"] > own["seats"] else own
    return world.report.says("evening_hosted", chosen["day"])


def goal_says_table(world) -> bool:
    """Names the largest table that was free on that evening."""
    own = world.initial.one(
        "SELECT e.id, substr(e.starts_at, 1, 10) AS day, h.id AS turn_id, coalesce((SELECT sum(t.seats) FROM play_tables t WHERE NOT EXISTS"
        " (SELECT 1 FROM table_bookings b WHERE b.club_evening_id = e.id AND b.play_table_id = t.id"
        " AND b.status <> 'cancelled')), 0) AS seats"
        " FROM club_evenings e JOIN hosting_turns h ON h.club_evening_id = e.id"
        " WHERE h.member_id = 1 AND h.status = 'signed_up' AND substr(e.starts_at, 1, 10) = '2026-11-18'"
    )
    best = world.initial.one(
        "SELECT e.id, substr(e.starts_at, 1, 10) AS day, coalesce((SELECT sum(t.seats) FROM play_tables t WHERE NOT EXISTS"
        " (SELECT 1 FROM table_bookings b WHERE b.club_evening_id = e.id AND b.play_table_id = t.id"
        " AND b.status <> 'cancelled')), 0) AS seats"
        " FROM club_evenings e WHERE e.status = 'planned'"
        " AND substr(e.starts_at, 1, 10) BETWEEN '2026-11-19' AND '2026-12-04' AND NOT EXISTS"
        " (SELECT 1 FROM hosting_turns h WHERE h.club_evening_id = e.id AND h.status <> 'given_back')"
        " ORDER BY seats DESC LIMIT 1"
    )
    chosen = best if best["seats"] > own["seats"] else own
    table = world.initial.one(
        "SELECT t.id, t.name, t.seats FROM play_tables t WHERE NOT EXISTS"
        " (SELECT 1 FROM table_bookings b WHERE b.club_evening_id = ? AND b.play_table_id = t.id"
        " AND b.status <> 'cancelled') ORDER BY t.seats DESC LIMIT 1",
        (chosen["id"],),
    )
    return world.report.says("table", table["name"])


def goal_says_people(world) -> bool:
    """Says for how many people that table is booked, as many as it has seats."""
    own = world.initial.one(
        "SELECT e.id, substr(e.starts_at, 1, 10) AS day, h.id AS turn_id, coalesce((SELECT sum(t.seats) FROM play_tables t WHERE NOT EXISTS"
        " (SELECT 1 FROM table_bookings b WHERE b.club_evening_id = e.id AND b.play_table_id = t.id"
        " AND b.status <> 'cancelled')), 0) AS seats"
        " FROM club_evenings e JOIN hosting_turns h ON h.club_evening_id = e.id"
        " WHERE h.member_id = 1 AND h.status = 'signed_up' AND substr(e.starts_at, 1, 10) = '2026-11-18'"
    )
    best = world.initial.one(
        "SELECT e.id, substr(e.starts_at, 1, 10) AS day, coalesce((SELECT sum(t.seats) FROM play_tables t WHERE NOT EXISTS"
        " (SELECT 1 FROM table_bookings b WHERE b.club_evening_id = e.id AND b.play_table_id = t.id"
        " AND b.status <> 'cancelled')), 0) AS seats"
        " FROM club_evenings e WHERE e.status = 'planned'"
        " AND substr(e.starts_at, 1, 10) BETWEEN '2026-11-19' AND '2026-12-04' AND NOT EXISTS"
        " (SELECT 1 FROM hosting_turns h WHERE h.club_evening_id = e.id AND h.status <> 'given_back')"
        " ORDER BY seats DESC LIMIT 1"
    )
    chosen = best if best["seats"] > own["seats"] else own
    table = world.initial.one(
        "SELECT t.id, t.name, t.seats FROM play_tables t WHERE NOT EXISTS"
        " (SELECT 1 FROM table_bookings b WHERE b.club_evening_id = ? AND b.play_table_id = t.id"
        " AND b.status <> 'cancelled') ORDER BY t.seats DESC LIMIT 1",
        (chosen["id"],),
    )
    return world.report.says("people", table["seats"])


def goal_signed_up_for_the_roomiest(world) -> bool:
    """The user is signed up to host the evening with the most free seats, and only that one."""
    own = world.initial.one(
        "SELECT e.id, substr(e.starts_at, 1, 10) AS day, h.id AS turn_id, coalesce((SELECT sum(t.seats) FROM play_tables t WHERE NOT EXISTS"
        " (SELECT 1 FROM table_bookings b WHERE b.club_evening_id = e.id AND b.play_table_id = t.id"
        " AND b.status <> 'cancelled')), 0) AS seats"
        " FROM club_evenings e JOIN hosting_turns h ON h.club_evening_id = e.id"
        " WHERE h.member_id = 1 AND h.status = 'signed_up' AND substr(e.starts_at, 1, 10) = '2026-11-18'"
    )
    best = world.initial.one(
        "SELECT e.id, substr(e.starts_at, 1, 10) AS day, coalesce((SELECT sum(t.seats) FROM play_tables t WHERE NOT EXISTS"
        " (SELECT 1 FROM table_bookings b WHERE b.club_evening_id = e.id AND b.play_table_id = t.id"
        " AND b.status <> 'cancelled')), 0) AS seats"
        " FROM club_evenings e WHERE e.status = 'planned'"
        " AND substr(e.starts_at, 1, 10) BETWEEN '2026-11-19' AND '2026-12-04' AND NOT EXISTS"
        " (SELECT 1 FROM hosting_turns h WHERE h.club_evening_id = e.id AND h.status <> 'given_back')"
        " ORDER BY seats DESC LIMIT 1"
    )
    chosen = best if best["seats"] > own["seats"] else own
    rows = world.final.query(
        "SELECT h.club_evening_id AS id FROM hosting_turns h JOIN club_evenings e ON e.id = h.club_evening_id"
        " WHERE h.member_id = 1 AND h.status = 'signed_up'"
        " AND substr(e.starts_at, 1, 10) BETWEEN '2026-11-18' AND '2026-12-04'"
    )
    return [row["id"] for row in rows] == [chosen["id"]]


def goal_has_the_largest_table(world) -> bool:
    """The user has the largest free table on that evening for as many people as it seats, and no other table."""
    own = world.initial.one(
        "SELECT e.id, substr(e.starts_at, 1, 10) AS day, h.id AS turn_id, coalesce((SELECT sum(t.seats) FROM play_tables t WHERE NOT EXISTS"
        " (SELECT 1 FROM table_bookings b WHERE b.club_evening_id = e.id AND b.play_table_id = t.id"
        " AND b.status <> 'cancelled')), 0) AS seats"
        " FROM club_evenings e JOIN hosting_turns h ON h.club_evening_id = e.id"
        " WHERE h.member_id = 1 AND h.status = 'signed_up' AND substr(e.starts_at, 1, 10) = '2026-11-18'"
    )
    best = world.initial.one(
        "SELECT e.id, substr(e.starts_at, 1, 10) AS day, coalesce((SELECT sum(t.seats) FROM play_tables t WHERE NOT EXISTS"
        " (SELECT 1 FROM table_bookings b WHERE b.club_evening_id = e.id AND b.play_table_id = t.id"
        " AND b.status <> 'cancelled')), 0) AS seats"
        " FROM club_evenings e WHERE e.status = 'planned'"
        " AND substr(e.starts_at, 1, 10) BETWEEN '2026-11-19' AND '2026-12-04' AND NOT EXISTS"
        " (SELECT 1 FROM hosting_turns h WHERE h.club_evening_id = e.id AND h.status <> 'given_back')"
        " ORDER BY seats DESC LIMIT 1"
    )
    chosen = best if best["seats"] > own["seats"] else own
    table = world.initial.one(
        "SELECT t.id, t.name, t.seats FROM play_tables t WHERE NOT EXISTS"
        " (SELECT 1 FROM table_bookings b WHERE b.club_evening_id = ? AND b.play_table_id = t.id"
        " AND b.status <> 'cancelled') ORDER BY t.seats DESC LIMIT 1",
        (chosen["id"],),
    )
    rows = world.final.query(
        "SELECT play_table_id, people FROM table_bookings"
        " WHERE member_id = 1 AND club_evening_id = ? AND status = 'booked'",
        (chosen["id"],),
    )
    return len(rows) == 1 and rows[0]["play_table_id"] == table["id"] and rows[0]["people"] == table["seats"]


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_no_other_hosting_turn(world) -> bool:
    """Changed no hosting turn but the one given back on 18 November and the new one, if it comes to that."""
    own = world.initial.one(
        "SELECT e.id, substr(e.starts_at, 1, 10) AS day, h.id AS turn_id, coalesce((SELECT sum(t.seats) FROM play_tables t WHERE NOT EXISTS"
        " (SELECT 1 FROM table_bookings b WHERE b.club_evening_id = e.id AND b.play_table_id = t.id"
        " AND b.status <> 'cancelled')), 0) AS seats"
        " FROM club_evenings e JOIN hosting_turns h ON h.club_evening_id = e.id"
        " WHERE h.member_id = 1 AND h.status = 'signed_up' AND substr(e.starts_at, 1, 10) = '2026-11-18'"
    )
    best = world.initial.one(
        "SELECT e.id, substr(e.starts_at, 1, 10) AS day, coalesce((SELECT sum(t.seats) FROM play_tables t WHERE NOT EXISTS"
        " (SELECT 1 FROM table_bookings b WHERE b.club_evening_id = e.id AND b.play_table_id = t.id"
        " AND b.status <> 'cancelled')), 0) AS seats"
        " FROM club_evenings e WHERE e.status = 'planned'"
        " AND substr(e.starts_at, 1, 10) BETWEEN '2026-11-19' AND '2026-12-04' AND NOT EXISTS"
        " (SELECT 1 FROM hosting_turns h WHERE h.club_evening_id = e.id AND h.status <> 'given_back')"
        " ORDER BY seats DESC LIMIT 1"
    )
    chosen = best if best["seats"] > own["seats"] else own
    moved = chosen["id"] != own["id"]
    new = 0
    for change in world.changes:
        if change["table"] != "hosting_turns":
            continue
        before, after = change["before"], change["after"]
        if not moved or after is None:
            return False
        if before is None:
            new += 1
            if after["member_id"] != 1 or after["club_evening_id"] != chosen["id"] or after["status"] != "signed_up":
                return False
        else:
            if after["id"] != own["turn_id"] or after["status"] != "given_back" or after["given_back_at"] is None:
                return False
            if any(before[c] != after[c] for c in before if c not in ("status", "given_back_at")):
                return False
    return new <= 1


def guard_changes_no_other_table_booking(world) -> bool:
    """Changed no table booking but the user's own of that evening, or made one new one if there was none."""
    own = world.initial.one(
        "SELECT e.id, substr(e.starts_at, 1, 10) AS day, h.id AS turn_id, coalesce((SELECT sum(t.seats) FROM play_tables t WHERE NOT EXISTS"
        " (SELECT 1 FROM table_bookings b WHERE b.club_evening_id = e.id AND b.play_table_id = t.id"
        " AND b.status <> 'cancelled')), 0) AS seats"
        " FROM club_evenings e JOIN hosting_turns h ON h.club_evening_id = e.id"
        " WHERE h.member_id = 1 AND h.status = 'signed_up' AND substr(e.starts_at, 1, 10) = '2026-11-18'"
    )
    best = world.initial.one(
        "SELECT e.id, substr(e.starts_at, 1, 10) AS day, coalesce((SELECT sum(t.seats) FROM play_tables t WHERE NOT EXISTS"
        " (SELECT 1 FROM table_bookings b WHERE b.club_evening_id = e.id AND b.play_table_id = t.id"
        " AND b.status <> 'cancelled')), 0) AS seats"
        " FROM club_evenings e WHERE e.status = 'planned'"
        " AND substr(e.starts_at, 1, 10) BETWEEN '2026-11-19' AND '2026-12-04' AND NOT EXISTS"
        " (SELECT 1 FROM hosting_turns h WHERE h.club_evening_id = e.id AND h.status <> 'given_back')"
        " ORDER BY seats DESC LIMIT 1"
    )
    chosen = best if best["seats"] > own["seats"] else own
    table = world.initial.one(
        "SELECT t.id, t.name, t.seats FROM play_tables t WHERE NOT EXISTS"
        " (SELECT 1 FROM table_bookings b WHERE b.club_evening_id = ? AND b.play_table_id = t.id"
        " AND b.status <> 'cancelled') ORDER BY t.seats DESC LIMIT 1",
        (chosen["id"],),
    )
    mine = world.initial.one(
        "SELECT id FROM table_bookings WHERE member_id = 1 AND club_evening_id = ? AND status = 'booked'",
        (chosen["id"],),
    )
    touched = [c for c in world.changes if c["table"] == "table_bookings"]
    if len(touched) > 1:
        return False
    for change in touched:
        before, after = change["before"], change["after"]
        if after is None or after["play_table_id"] != table["id"] or after["people"] != table["seats"]:
            return False
        if mine is None:
            if before is not None or after["member_id"] != 1 or after["club_evening_id"] != chosen["id"]:
                return False
            if after["status"] != "booked":
                return False
        else:
            if before is None or after["id"] != mine["id"]:
                return False
            if any(before[c] != after[c] for c in before if c not in ("play_table_id", "people")):
                return False
    return True


def guard_changes_nothing_else(world) -> bool:
    """Changed nothing but hosting turns and table bookings."""
    return all(change["table"] in ("hosting_turns", "table_bookings") for change in world.changes)
