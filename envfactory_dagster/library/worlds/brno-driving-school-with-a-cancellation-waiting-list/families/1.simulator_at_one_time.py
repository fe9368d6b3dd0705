import datetime

HOUR_CENTS = 35000


def _days(first, last):
    day, end = datetime.date.fromisoformat(first), datetime.date.fromisoformat(last)
    while day <= end:
        yield day.isoformat()
        day += datetime.timedelta(days=1)


def _open_days(rows):
    """The days on which the simulator runs."""
    return {
        row["day"] for row in rows
        if not row["is_public_holiday"] and not row["is_closed"] and datetime.date.fromisoformat(row["day"]).weekday() != 6
    }


def instances(world, rng):
    """A period, a time and a budget; on some of the days another pupil has the simulator then."""
    calendar = world.query(
        "SELECT day, is_public_holiday, is_closed FROM calendar_days WHERE day > ? ORDER BY day", [world.clock[:10]]
    )
    open_days = _open_days(calendar)
    taken = {row["starts_at"] for row in world.query(
        "SELECT starts_at FROM simulator_sessions WHERE status <> 'cancelled' AND starts_at > ? ORDER BY id", [world.clock])}
    mine = world.query(
        "SELECT starts_at FROM simulator_sessions WHERE pupil_id = 1 AND status = 'booked' ORDER BY id")
    lessons = world.query(
        "SELECT starts_at FROM driving_lessons WHERE pupil_id = 1 AND status = 'booked' ORDER BY id")
    pupils = [row["id"] for row in world.query("SELECT id FROM pupils WHERE id <> 1 ORDER BY id")]
    session_id = world.one("SELECT MAX(id) AS id FROM simulator_sessions")["id"]
    charge_id = world.one("SELECT MAX(id) AS id FROM charges")["id"]
    days = [row["day"] for row in calendar if row["day"] < "2025-12-20"]
    booked_at = (datetime.datetime.fromisoformat(world.clock) - datetime.timedelta(days=2, hours=1)).isoformat()
    while True:
        first_index = rng.randrange(0, len(days) - 16)
        length = rng.choice([6, 7, 8, 9, 10, 12, 13, 14, 16])
        first, last = days[first_index], days[min(len(days) - 1, first_index + length - 1)]
        hour = rng.choice(range(8, 20))
        if first not in open_days or last not in open_days:
            continue
        if any(row["starts_at"][:10] in _days(first, last) and row["starts_at"][11:13] == f"{hour:02d}" for row in mine):
            continue
        busy = set()
        for row in lessons:
            start = datetime.datetime.fromisoformat(row["starts_at"])
            for at in (start, start + datetime.timedelta(minutes=60), start + datetime.timedelta(minutes=89)):
                busy.add(at.isoformat()[:13])
        if any(f"{day}T{hour:02d}" in busy for day in _days(first, last)):
            continue
        starts = [f"{day}T{hour:02d}:00:00" for day in _days(first, last) if day in open_days]
        free = [start for start in starts if start not in taken]
        if len(free) < 4:
            continue
        others = rng.sample(free, rng.randrange(1, max(2, len(free) // 2 + 1)))
        free = [start for start in free if start not in others]
        if len(free) < 2:
            continue
        wanted = rng.choice(range(2, min(len(free), 5) + 1))
        limit = wanted * HOUR_CENTS + rng.choice([0, 5000, 10000, 15000])
        if rng.random() < 0.6:
            limit = {2: 80000, 3: 120000, 4: 150000, 5: 200000}[wanted]
        expected = free[: limit // HOUR_CENTS]
        if len(expected) < 2:
            continue
        given_sessions, given_charges = [], []
        for number, start in enumerate(sorted(others), 1):
            pupil = rng.choice(pupils)
            given_sessions.append({
                "id": session_id + number, "pupil_id": pupil, "starts_at": start, "status": "booked", "booked_at": booked_at})
            given_charges.append({
                "id": charge_id + number, "pupil_id": pupil, "kind": "simulator", "simulator_session_id": session_id + number,
                "amount_cents": HOUR_CENTS, "charged_at": booked_at, "due_on": start[:10], "credited_cents": 0})
        yield {
            "p": {"first": first, "last": last, "time": f"{hour}:00", "limit": limit, "starts": expected},
            "given": {"simulator_sessions": given_sessions, "charges": given_charges},
        }


def solve(tools, p):
    hour = int(p["time"].split(":")[0])
    booked, cost = [], 0
    for day in _days(p["first"], p["last"]):
        if cost + HOUR_CENTS > p["limit"]:
            break
        start = f"{day}T{hour:02d}:00:00"
        try:
            times = tools.search_simulator_times(day=day)["simulator_times"]
        except tools.Error:
            continue
        if any(time["starts_at"] == start for time in times):
            cost += tools.book_simulator_session(starts_at=start)["amount_cents"]
            booked.append(day)
    return {
        "outcome": "done",
        "answers": {"days": booked, "to_pay": cost},
        "reason": None,
        "message": f"The simulator is yours at {p['time']} on {', '.join(booked)}, for {cost // 100} CZK altogether.",
    }


def _new(world, table):
    return [change["after"] for change in world.changes if change["table"] == table and change["before"] is None]


def goal_has_the_hours_that_fit(world, p):
    """Has exactly the hours that are free and within the budget."""
    return sorted(row["starts_at"] for row in _new(world, "simulator_sessions")) == p["starts"] and all(
        row["pupil_id"] == 1 and row["status"] == "booked" for row in _new(world, "simulator_sessions"))


def goal_each_hour_is_charged(world, p):
    """Every hour is charged once, due on its day."""
    sessions = {row["id"]: row["starts_at"] for row in _new(world, "simulator_sessions")}
    charges = _new(world, "charges")
    return len(charges) == len(p["starts"]) and sorted(row["simulator_session_id"] for row in charges) == sorted(sessions) and all(
        row["pupil_id"] == 1 and row["amount_cents"] == HOUR_CENTS and row["due_on"] == sessions[row["simulator_session_id"]][:10]
        for row in charges)


def goal_says_the_days(world, p):
    """Says on which days the simulator is booked."""
    return world.report.says("days", [start[:10] for start in p["starts"]])


def goal_says_what_to_pay(world, p):
    """Says what the hours cost together."""
    return world.report.says("to_pay", HOUR_CENTS * len(p["starts"]))


def guard_adds_only_hours_and_charges(world, p):
    """Adds only the user's simulator hours at that time and their charges, never beyond the budget."""
    new = len(_new(world, "simulator_sessions"))
    return new * HOUR_CENTS <= p["limit"] and len(_new(world, "charges")) <= new and all(
        change["before"] is None and change["table"] in ("simulator_sessions", "charges") and change["after"]["pupil_id"] == 1
        for change in world.changes)


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")
