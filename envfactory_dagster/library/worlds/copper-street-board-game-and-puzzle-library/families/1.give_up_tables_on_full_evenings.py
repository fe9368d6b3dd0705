import datetime


def _mine(world, p):
    """The user's booked tables in those days, each with the number of other tables that are free."""
    return world.initial.query(
        "SELECT b.id, substr(e.starts_at, 1, 10) AS day, t.seats, (SELECT count(*) FROM play_tables f WHERE NOT EXISTS"
        " (SELECT 1 FROM table_bookings o WHERE o.club_evening_id = e.id AND o.play_table_id = f.id"
        " AND o.status <> 'cancelled')) AS free"
        " FROM table_bookings b JOIN club_evenings e ON e.id = b.club_evening_id JOIN play_tables t ON t.id = b.play_table_id"
        " WHERE b.member_id = 1 AND b.status = 'booked' AND substr(e.starts_at, 1, 10) BETWEEN ? AND ? ORDER BY e.starts_at",
        [p["first"], p["last"]],
    )


def instances(world, rng):
    """Booked tables of the user on evenings that are more or less full, and a number of days with some of each."""
    top = world.one("SELECT max(id) AS n FROM table_bookings")["n"]
    today = world.clock[:10]
    start = datetime.date.fromisoformat(today)
    evenings = world.query(
        "SELECT id, substr(starts_at, 1, 10) AS day FROM club_evenings"
        " WHERE status = 'planned' AND starts_at > ? ORDER BY starts_at",
        [world.clock],
    )
    tables = world.query("SELECT id, seats FROM play_tables ORDER BY id")
    taken = world.query(
        "SELECT club_evening_id AS e, play_table_id AS t, member_id AS m FROM table_bookings WHERE status = 'booked'"
    )
    others = [row["id"] for row in world.query("SELECT id FROM members WHERE id > 1 ORDER BY id")]
    per_day = {}
    for e in evenings:
        per_day[e["day"]] = per_day.get(e["day"], 0) + 1
    evenings = [e for e in evenings if per_day[e["day"]] == 1]
    near = (start + datetime.timedelta(days=1)).isoformat()
    for _ in range(900):
        free = {e["id"]: [t for t in tables if not any(x["e"] == e["id"] and x["t"] == t["id"] for x in taken)] for e in evenings}
        mine = {e["id"] for e in evenings if any(x["e"] == e["id"] and x["m"] == 1 for x in taken)}
        new = []
        late = rng.random() < 0.5

        def _add(evening, member):
            table = free[evening].pop(rng.randrange(len(free[evening])))
            booked = start - datetime.timedelta(days=rng.randint(1, 9))
            new.append({
                "id": top + 1 + len(new), "member_id": member, "club_evening_id": evening, "play_table_id": table["id"],
                "people": rng.randint(1, table["seats"]), "status": "booked",
                "booked_at": booked.isoformat() + f"T{rng.randint(10, 21)}:{rng.randint(10, 59)}:00", "cancelled_at": None,
            })

        later = [e for e in evenings if e["day"] > near]
        for e in rng.sample(later, min(len(later), rng.randint(1, 3))):
            if e["id"] not in mine and len(free[e["id"]]) > 2:
                _add(e["id"], 1)
                mine.add(e["id"])
        for e in evenings:
            crowd = (1, 4) if late and e["day"] == today else (0, 1) if late else (0, 2)
            for member in rng.sample(others, rng.randint(*crowd)):
                if len(free[e["id"]]) > 2:
                    _add(e["id"], member)
        booked = [(e["day"], len(free[e["id"]])) for e in evenings if e["id"] in mine]
        tonight = [n for day, n in booked if day == today]
        given = {"table_bookings": new} if new else {}
        if tonight and late:
            limit = rng.randint(max(2, tonight[0]), max(2, tonight[0]) + 1)
            last = (start + datetime.timedelta(days=rng.randint(3, 24))).isoformat()
            inside = [n for day, n in booked if today < day <= last]
            if tonight[0] > limit or any(n <= limit for n in inside) or not inside:
                continue
            p = {"first": today, "last": last, "free": limit, "kind": "refusal", "rule": "table_booking_deadline"}
            yield {"p": p, "kind": "refusal", "rule": "table_booking_deadline", "given": given}
            continue
        first = start + datetime.timedelta(days=rng.randint(2, 12))
        last = first + datetime.timedelta(days=rng.randint(8, 26))
        inside = [n for day, n in booked if first.isoformat() <= day <= last.isoformat()]
        if len(inside) < 2 or min(inside) == max(inside):
            continue
        limit = rng.randint(max(2, min(inside)), max(inside) - 1) if max(inside) > 2 else 0
        if limit < 2:
            continue
        p = {"first": first.isoformat(), "last": last.isoformat(), "free": limit, "kind": "action", "rule": None}
        yield {"p": p, "kind": "action", "rule": None, "given": given}


def solve(tools, p):
    bookings = tools.list_my_table_bookings(status="booked", first_day=p["first"], last_day=p["last"])["table_bookings"]
    give_up, keep = [], []
    for booking in bookings:
        evening = tools.get_club_evening(club_evening_id=booking["club_evening_id"])
        free = sum(1 for table in evening["play_tables"] if table["is_free"])
        (give_up if free <= p["free"] else keep).append(booking)
    try:
        for booking in give_up:
            tools.cancel_table_booking(table_booking_id=booking["id"])
    except tools.Error:
        return {
            "outcome": "refused",
            "answers": {"cancelled_days": None, "kept_days": None, "seats_given_up": None},
            "reason": "table_booking_deadline",
            "message": "That evening starts in less than 24 hours, so your table for it can't be cancelled any more.",
        }
    gone = [booking["starts_at"][:10] for booking in give_up]
    kept = [booking["starts_at"][:10] for booking in keep]
    seats = sum(booking["seats"] for booking in give_up)
    return {
        "outcome": "done",
        "answers": {"cancelled_days": gone, "kept_days": kept, "seats_given_up": seats},
        "reason": None,
        "message": f"I cancelled your tables on {', '.join(gone)}, with {seats} seats in all; you keep those on {', '.join(kept)}.",
    }


def goal_cancelled_the_busy_ones(world, p):
    """Every table of the user on an evening that is nearly full is cancelled, or it is declined when it is too late."""
    if p["rule"]:
        return world.report.outcome == "refused"
    busy = [row for row in _mine(world, p) if row["free"] <= p["free"]]
    for row in busy:
        now = world.final.one("SELECT status, cancelled_at FROM table_bookings WHERE id = ?", [row["id"]])
        if now is None or now["status"] != "cancelled" or now["cancelled_at"] is None:
            return False
    return len(busy) > 0


def goal_says_cancelled_days(world, p):
    """Says on which days a table was cancelled; empty when it is too late."""
    if p["rule"]:
        return world.report.outcome is not None and world.report.says("cancelled_days", None)
    return world.report.says("cancelled_days", [row["day"] for row in _mine(world, p) if row["free"] <= p["free"]])


def goal_says_kept_days(world, p):
    """Says on which of those days the user keeps a table; empty when it is too late."""
    if p["rule"]:
        return world.report.outcome is not None and world.report.says("kept_days", None)
    return world.report.says("kept_days", [row["day"] for row in _mine(world, p) if row["free"] > p["free"]])


def goal_says_seats_given_up(world, p):
    """Says how many seats the cancelled tables have in all; empty when it is too late."""
    if p["rule"]:
        return world.report.outcome is not None and world.report.says("seats_given_up", None)
    return world.report.says("seats_given_up", sum(row["seats"] for row in _mine(world, p) if row["free"] <= p["free"]))


def guard_cancels_no_other_booking(world, p):
    """Changed nothing but those bookings, from booked to cancelled."""
    wanted = set() if p["rule"] else {row["id"] for row in _mine(world, p) if row["free"] <= p["free"]}
    for change in world.changes:
        before, after = change["before"], change["after"]
        if change["table"] != "table_bookings" or before is None or after is None or after["id"] not in wanted:
            return False
        if after["status"] != "cancelled" or after["cancelled_at"] is None:
            return False
        if any(before[c] != after[c] for c in before if c not in ("status", "cancelled_at")):
            return False
    return True


def guard_reports_the_right_outcome(world, p):
    """Reports that it is done, or that the rule on late changes forbids it."""
    if world.report.outcome is None:
        return True
    return world.report.outcome == ("refused" if p["rule"] else "done") and world.report.reason == p["rule"]
