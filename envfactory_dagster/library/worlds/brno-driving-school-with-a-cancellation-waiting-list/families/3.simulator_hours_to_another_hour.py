import datetime


def _hours(world, p):
    """The user's simulator hours of the period that are not at the wanted hour: those that can be moved and those that cannot."""
    free, stuck = [], []
    for row in world.query(
        "SELECT id, starts_at, substr(starts_at, 1, 10) AS on_day FROM simulator_sessions WHERE pupil_id = 1 AND status = 'booked'"
        " AND substr(starts_at, 1, 10) BETWEEN ? AND ? AND substr(starts_at, 12, 5) <> ? ORDER BY starts_at",
        [p["first"], p["last"], p["at"]]
    ):
        others = world.one(
            "SELECT COUNT(*) AS others FROM simulator_sessions WHERE starts_at = ? AND status <> 'cancelled'", [f"{row['on_day']}T{p['at']}:00"])
        (stuck if others["others"] else free).append((row["id"], row["on_day"]))
    return free, stuck


def instances(world, rng):
    """Some simulator hours of the user's on different days, and other pupils at the wanted hour on some of them."""
    days = [row["day"] for row in world.query(
        "SELECT day FROM calendar_days WHERE day > ? AND day < '2025-12-20' AND is_public_holiday = 0 ORDER BY day DESC", [world.clock[:10]])
        if datetime.date.fromisoformat(row["day"]).weekday() != 6][::-1]
    own_days = {row["day"] for row in world.query(
        "SELECT DISTINCT substr(starts_at, 1, 10) AS day FROM driving_lessons WHERE pupil_id = 1 AND status = 'booked'")}
    standing = world.query("SELECT pupil_id, starts_at FROM simulator_sessions WHERE status = 'booked' AND starts_at > ?", [world.clock])
    pupils = [row["id"] for row in world.query("SELECT id FROM pupils WHERE id <> 1 ORDER BY phone")]
    top_session = world.one("SELECT MAX(id) AS top FROM simulator_sessions")["top"]
    top_charge = world.one("SELECT MAX(id) AS top FROM charges")["top"]
    now = datetime.datetime.fromisoformat(world.clock)
    while True:
        index = rng.randrange(0, min(20, len(days) - 13))
        window = days[index: index + rng.randrange(8, 13)]
        wanted = rng.choice([8, 9, 10, 12, 13, 15, 16, 17, 18, 19])
        given = {"simulator_sessions": [], "charges": []}
        taken = {row["starts_at"] for row in standing}
        mine = {row["starts_at"][:10] for row in standing if row["pupil_id"] == 1}

        def add(pupil, start):
            booked = (now - datetime.timedelta(days=rng.randrange(1, 7), minutes=rng.randrange(3, 200))).isoformat(timespec="seconds")
            number = len(given["charges"]) + 1
            given["simulator_sessions"].append({
                "id": top_session + number, "pupil_id": pupil, "starts_at": start, "status": "booked", "booked_at": booked})
            given["charges"].append({
                "id": top_charge + number, "pupil_id": pupil, "kind": "simulator", "simulator_session_id": top_session + number,
                "amount_cents": 35000, "charged_at": booked, "due_on": start[:10], "credited_cents": 0})
            taken.add(start)

        usual = rng.choice([hour for hour in (9, 10, 11, 14, 16, 17, 18) if hour != wanted])
        open_days = [day for day in window if day not in mine and day not in own_days]
        for day in sorted(rng.sample(open_days, min(len(open_days), rng.choice([3, 4, 4, 5])))):
            start = f"{day}T{rng.choice([usual, usual, usual, min(usual + 1, 19)]):02d}:00:00"
            if start not in taken:
                add(1, start)
        own = [row["starts_at"] for row in given["simulator_sessions"]] + [row["starts_at"] for row in standing if row["pupil_id"] == 1]
        for number, start in enumerate(own):
            blocked = f"{start[:10]}T{wanted:02d}:00:00"
            if blocked not in taken and rng.random() < 0.35:
                add(pupils[(number * 7 + index) % len(pupils)], blocked)
        p = {"first": window[0], "last": window[-1], "hour": f"{wanted}:00", "at": f"{wanted:02d}:00"}
        inside = [start for start in own if window[0] <= start[:10] <= window[-1]]
        changing = [start for start in inside if start[11:16] != p["at"]]
        p["stuck"] = sorted(start[:10] for start in changing if f"{start[:10]}T{p['at']}:00" in taken)
        p["free"] = sorted(start[:10] for start in changing if f"{start[:10]}T{p['at']}:00" not in taken)
        if len(p["free"]) < 2 or not p["stuck"] or any(day in own_days for day in p["free"] + p["stuck"]):
            continue
        yield {"p": p, "given": given}


def solve(tools, p):
    at = f"{int(p['hour'].split(':')[0]):02d}:00"
    stuck = []
    for session in tools.list_simulator_sessions(status="booked")["simulator_sessions"]:
        day = session["starts_at"][:10]
        if not p["first"] <= day <= p["last"] or session["starts_at"][11:16] == at:
            continue
        free = [slot["starts_at"] for slot in tools.search_simulator_times(day=day)["simulator_times"]]
        if f"{day}T{at}:00" not in free:
            stuck.append(day)
            continue
        tools.book_simulator_session(starts_at=f"{day}T{at}:00")
        tools.cancel_simulator_session(simulator_session_id=session["id"])
    return {
        "outcome": "done",
        "answers": {"unchanged_days": stuck},
        "reason": None,
        "message": f"Your simulator hours are at {p['hour']} now, only on {', '.join(stuck)} it is taken and yours stays as it was.",
    }


def goal_hours_are_moved(world, p):
    """Every hour that can be moved is cancelled, and the user has the wanted hour on that day."""
    free = _hours(world.initial, p)[0]
    for session, day in free:
        old = world.final.one("SELECT status FROM simulator_sessions WHERE id = ?", [session])
        new = world.final.query(
            "SELECT id FROM simulator_sessions WHERE pupil_id = 1 AND status = 'booked' AND substr(starts_at, 1, 10) = ?"
            " AND substr(starts_at, 12, 5) = ?", [day, p["at"]])
        if old["status"] != "cancelled" or len(new) != 1:
            return False
    return True


def goal_says_where_it_stays(world, p):
    """Says on which days the hour stays at its old time."""
    return world.report.says("unchanged_days", [day for _, day in _hours(world.initial, p)[1]])


def guard_touches_only_these_hours(world, p):
    """Touches only the hours to be moved with their charges, and adds only the hours in their place with theirs."""
    free = _hours(world.initial, p)[0]
    old, days = {session for session, _ in free}, {day for _, day in free}
    fresh = {change["after"]["id"]: change["after"] for change in world.changes
             if change["table"] == "simulator_sessions" and change["before"] is None}
    if sorted(row["starts_at"] for row in fresh.values()) != sorted({row["starts_at"] for row in fresh.values()}):
        return False
    charged = [change["after"]["simulator_session_id"] for change in world.changes if change["table"] == "charges" and change["before"] is None]
    if len(charged) != len(set(charged)):
        return False
    for change in world.changes:
        before, after = change["before"], change["after"]
        if after is None:
            return False
        changed = set() if before is None else {name for name in before if before[name] != after[name]}
        if change["table"] == "simulator_sessions":
            if before is None:
                good = after["pupil_id"] == 1 and after["status"] == "booked" and after["starts_at"][:10] in days and after["starts_at"][11:16] == p["at"]
            else:
                good = before["id"] in old and after["status"] == "cancelled" and changed <= {"status", "cancelled_at"}
        elif change["table"] == "charges":
            if before is None:
                good = after["kind"] == "simulator" and after["simulator_session_id"] in fresh and after["amount_cents"] == 35000 and after["pupil_id"] == 1
            else:
                good = before["simulator_session_id"] in old and changed <= {"credited_cents", "credited_at", "credit_reason"}
        else:
            good = False
        if not good:
            return False
    return True


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")
