import datetime


def _evenings(world, p):
    """The planned evenings in those days that somebody else hosts and that the user has no table for, the emptiest first."""
    return world.initial.query(
        "SELECT n.id, substr(n.starts_at, 1, 10) AS day, (SELECT count(*) FROM play_tables pt WHERE NOT EXISTS"
        " (SELECT 1 FROM table_bookings tb WHERE tb.club_evening_id = n.id AND tb.play_table_id = pt.id"
        " AND tb.status <> 'cancelled')) AS open_tables FROM club_evenings n"
        " JOIN hosting_turns ht ON ht.club_evening_id = n.id AND ht.status = 'signed_up' AND ht.member_id <> 1"
        " WHERE n.status = 'planned' AND substr(n.starts_at, 1, 10) >= ? AND substr(n.starts_at, 1, 10) <= ?"
        " AND NOT EXISTS (SELECT 1 FROM table_bookings own WHERE own.club_evening_id = n.id AND own.member_id = 1"
        " AND own.status = 'booked') ORDER BY open_tables DESC, n.starts_at",
        [p["first"], p["last"]],
    )


def _table(world, evening, people):
    """The smallest table that is free on that evening and seats so many, the first by name among equals; None if none does."""
    return world.initial.one(
        "SELECT pt.id, pt.name, pt.seats FROM play_tables pt WHERE pt.seats >= ? AND NOT EXISTS"
        " (SELECT 1 FROM table_bookings tb WHERE tb.play_table_id = pt.id AND tb.club_evening_id = ?"
        " AND tb.status <> 'cancelled') ORDER BY pt.seats, pt.name LIMIT 1",
        [people, evening],
    )


def instances(world, rng):
    """Evenings with and without a host, more and less booked, and a group that a table can seat or that is too large."""
    top = world.one(
        "SELECT (SELECT max(id) FROM table_bookings) AS booking, (SELECT max(id) FROM hosting_turns) AS turn,"
        " (SELECT max(seats) FROM play_tables) AS seats"
    )
    today = datetime.date.fromisoformat(world.clock[:10])
    ahead = world.query(
        "SELECT n.id, substr(n.starts_at, 1, 10) AS day,"
        " (SELECT ht.member_id FROM hosting_turns ht WHERE ht.club_evening_id = n.id AND ht.status <> 'given_back') AS host"
        " FROM club_evenings n WHERE n.status = 'planned' AND substr(n.starts_at, 1, 10) > ? ORDER BY n.id",
        [world.clock[:10]],
    )
    tables = world.query("SELECT pt.id, pt.name, pt.seats FROM play_tables pt ORDER BY pt.seats, pt.name")
    used = world.query(
        "SELECT tb.club_evening_id AS evening, tb.play_table_id AS pt, tb.member_id AS who FROM table_bookings tb"
        " WHERE tb.status = 'booked' ORDER BY tb.id"
    )
    people_there = [row["id"] for row in world.query("SELECT pe.id FROM members pe WHERE pe.id <> 1 ORDER BY pe.name")]
    for _ in range(900):
        bookings, turns, facts = [], [], []
        for v in ahead:
            host = v["host"]
            if host is None and rng.random() < 0.6:
                host = rng.choice(people_there)
                turns.append({
                    "id": top["turn"] + 1 + len(turns), "member_id": host, "club_evening_id": v["id"], "status": "signed_up",
                    "signed_up_at": (today - datetime.timedelta(days=rng.randint(1, 3))).isoformat() + "T12:20:00",
                    "given_back_at": None,
                })
            free = [t for t in tables if not any(u["evening"] == v["id"] and u["pt"] == t["id"] for u in used)]
            mine = any(u["evening"] == v["id"] and u["who"] == 1 for u in used)
            takers = rng.sample(people_there, rng.randint(0, 3))
            if not mine and rng.random() < 0.2:
                takers.append(1)
                mine = True
            for who in takers:
                if len(free) < 2:
                    if who == 1:
                        mine = False
                    continue
                table = free.pop(rng.randrange(len(free)))
                bookings.append({
                    "id": top["booking"] + 1 + len(bookings), "member_id": who, "club_evening_id": v["id"],
                    "play_table_id": table["id"], "people": rng.randint(1, table["seats"]), "status": "booked",
                    "booked_at": (today - datetime.timedelta(days=rng.randint(1, 6))).isoformat()
                    + f"T{rng.randint(10, 21)}:{rng.randint(10, 59)}:00",
                    "cancelled_at": None,
                })
            facts.append({"day": v["day"], "fits": host not in (None, 1) and not mine, "free": free})
        first = today + datetime.timedelta(days=rng.randint(1, 10))
        last = first + datetime.timedelta(days=rng.randint(8, 28))
        inside = [f for f in facts if first.isoformat() <= f["day"] <= last.isoformat()]
        fits = sorted((len(f["free"]), f["day"]) for f in inside if f["fits"])
        if len(fits) < 2 or fits[-1][0] == fits[-2][0]:
            continue
        too_many = rng.random() < 0.25
        people = top["seats"] + rng.randint(1, 4) if too_many else rng.randint(2, top["seats"])
        best = next(f for f in inside if f["day"] == fits[-1][1])
        if not too_many and not any(t["seats"] >= people for t in best["free"]):
            continue
        if not too_many and not any(len(f["free"]) >= len(best["free"]) for f in inside if not f["fits"]) and rng.random() < 0.5:
            continue
        given = {}
        if turns:
            given["hosting_turns"] = turns
        if bookings:
            given["table_bookings"] = bookings
        rule = "table_booking_deadline" if too_many else None
        kind = "refusal" if rule else "action"
        p = {"first": first.isoformat(), "last": last.isoformat(), "people": people, "kind": kind, "rule": rule}
        yield {"p": p, "kind": kind, "rule": rule, "given": given}


def solve(tools, p):
    booked = {
        b["club_evening_id"]
        for b in tools.list_my_table_bookings(status="booked", first_day=p["first"], last_day=p["last"])["table_bookings"]
    }
    own = {t["club_evening_id"] for t in tools.list_my_hosting_turns(status="signed_up")["hosting_turns"]}
    if not tools.list_play_tables(min_seats=p["people"])["play_tables"]:
        return {
            "outcome": "refused",
            "answers": {"evening": None, "free_tables_before": None, "table": None},
            "reason": "table_booking_deadline",
            "message": f"No table seats {p['people']} people, and a table can't be booked for more people than it has seats.",
        }
    best, most = None, -1
    for found in tools.search_club_evenings(first_day=p["first"], last_day=p["last"], status="planned")["club_evenings"]:
        if found["id"] in booked or found["id"] in own:
            continue
        evening = tools.get_club_evening(club_evening_id=found["id"])
        free = [t for t in evening["play_tables"] if t["is_free"]]
        if evening["host_name"] is not None and len(free) > most:
            best, most = evening, len(free)
    table = min(
        (t for t in best["play_tables"] if t["is_free"] and t["seats"] >= p["people"]), key=lambda t: (t["seats"], t["name"])
    )
    tools.book_table(club_evening_id=best["id"], play_table_id=table["id"], people=p["people"])
    day = best["starts_at"][:10]
    return {
        "outcome": "done",
        "answers": {"evening": day, "free_tables_before": most, "table": table["name"]},
        "reason": None,
        "message": f"I booked the table {table['name']} for {p['people']} people on {day}, when {most} tables were free.",
    }


def goal_booked_that_table(world, p):
    """Has booked the smallest free table that seats the group on the emptiest evening, or declined a group too large."""
    if p["rule"]:
        return world.report.outcome == "refused"
    evening = _evenings(world, p)[0]
    row = world.final.one(
        "SELECT count(*) AS n FROM table_bookings tb WHERE tb.member_id = 1 AND tb.club_evening_id = ?"
        " AND tb.play_table_id = ? AND tb.people = ? AND tb.status = 'booked'",
        [evening["id"], _table(world, evening["id"], p["people"])["id"], p["people"]],
    )
    return row["n"] == 1


def goal_says_evening(world, p):
    """Says on which evening it is; empty when the group is too large."""
    if p["rule"]:
        return world.report.outcome is not None and world.report.says("evening", None)
    return world.report.says("evening", _evenings(world, p)[0]["day"])


def goal_says_free_tables_before(world, p):
    """Says how many tables were free on that evening before; empty when the group is too large."""
    if p["rule"]:
        return world.report.outcome is not None and world.report.says("free_tables_before", None)
    return world.report.says("free_tables_before", _evenings(world, p)[0]["open_tables"])


def goal_says_table(world, p):
    """Names the table; empty when the group is too large."""
    if p["rule"]:
        return world.report.outcome is not None and world.report.says("table", None)
    return world.report.says("table", _table(world, _evenings(world, p)[0]["id"], p["people"])["name"])


def guard_adds_one_booking_only(world, p):
    """Changed nothing but one new booking of the user for that evening, table and number of people."""
    if p["rule"]:
        return len(world.changes) == 0
    evening = _evenings(world, p)[0]
    table = _table(world, evening["id"], p["people"])
    for change in world.changes:
        after = change["after"]
        if change["table"] != "table_bookings" or change["before"] is not None or after is None:
            return False
        if after["member_id"] != 1 or after["club_evening_id"] != evening["id"] or after["play_table_id"] != table["id"]:
            return False
        if after["people"] != p["people"] or after["status"] != "booked":
            return False
    return len(world.changes) <= 1


def guard_reports_the_right_outcome(world, p):
    """Reports that it is done, or that the rule on the number of people forbids it."""
    if world.report.outcome is None:
        return True
    return world.report.outcome == ("refused" if p["rule"] else "done") and world.report.reason == p["rule"]
