import datetime

LENGTHS = (10, 15, 20, 25, 30)
MORNING = ("09:00", "09:30", "09:45", "10:15", "10:30")
EVENING = ("17:00", "17:30", "17:45", "18:15", "18:30")
AFTERNOON = ("12:15", "13:00", "14:15", "15:30")


def _stamp(moment):
    return moment.strftime("%Y-%m-%dT%H:%M:%S")


def instances(world, rng):
    """A Sunday session to come with a free tenor, on a day on which the tenor is in use in other sessions too."""
    clock = datetime.datetime.fromisoformat(world.clock)
    sessions = world.query("SELECT id, starts_at, length_minutes FROM ringing_sessions ORDER BY id")
    top_place = world.one("SELECT max(p.id) AS top FROM session_places p")["top"]
    tenor = world.one("SELECT b.id, b.daily_minutes FROM bells b WHERE b.is_tenor = 1")
    methods = [row["id"] for row in world.query("SELECT m.id FROM methods m ORDER BY m.id")]
    members = [
        row["ringer_id"]
        for row in world.query(
            "SELECT ringer_id FROM method_sign_offs WHERE status = 'granted' AND ringer_id <> 1"
            " GROUP BY ringer_id HAVING count(*) >= 3 ORDER BY ringer_id"
        )
    ]
    light = [row["id"] for row in world.query("SELECT b.id FROM bells b WHERE b.is_tenor = 0 ORDER BY b.id")]
    used_days = {row["starts_at"][:10] for row in sessions}
    first = clock.date() + datetime.timedelta(days=3)
    sundays = [
        day
        for day in (first + datetime.timedelta(days=n) for n in range(210))
        if day.weekday() == 6 and day.isoformat() not in used_days
    ]
    top_session = sessions[-1]["id"]
    for _ in range(600):
        day = rng.choice(sundays)
        times = [rng.choice(MORNING), rng.choice(AFTERNOON), rng.choice(EVENING)]
        kinds = ["sunday", "wedding", "sunday"]
        target = rng.choice([0, 2])
        lengths = [rng.choice(LENGTHS) for _ in range(3)]
        # how the tenor stands in the other two sessions: taken, given up again, or never asked for
        states = [rng.choice(["taken", "taken", "given_up", "none"]) for _ in range(3)]
        others = [n for n in range(3) if n != target]
        used = sum(lengths[n] for n in others if states[n] == "taken")
        if used == 0 or used > tenor["daily_minutes"]:
            continue
        forbidden = used + lengths[target] > tenor["daily_minutes"]
        if forbidden and rng.random() < 0.3:
            continue
        new_sessions, new_places = [], []
        place_id = top_place
        for n in range(3):
            session_id = top_session + 1 + n
            new_sessions.append({
                "id": session_id,
                "kind": kinds[n],
                "method_id": rng.choice(methods),
                "starts_at": f"{day.isoformat()}T{times[n]}:00",
                "length_minutes": lengths[n],
                "status": "open",
                "cancelled_at": None,
            })
            ringers = rng.sample(members, 4)
            bells = rng.sample(light, 3)
            rows = [(ringers[k], bells[k], "taken") for k in range(rng.randint(1, 3))]
            if n != target and states[n] != "none":
                rows.append((ringers[3], tenor["id"], states[n]))
            for ringer_id, bell_id, status in rows:
                place_id += 1
                taken = clock - datetime.timedelta(days=rng.randint(3, 12), minutes=rng.randint(0, 700))
                given_up = taken + datetime.timedelta(days=rng.randint(1, 2), minutes=rng.randint(5, 90))
                new_places.append({
                    "id": place_id,
                    "ringing_session_id": session_id,
                    "ringer_id": ringer_id,
                    "bell_id": bell_id,
                    "status": status,
                    "taken_at": _stamp(taken),
                    "given_up_at": _stamp(given_up) if status == "given_up" else None,
                })
        instance = {
            "p": {"day": day.isoformat(), "time": times[target], "session": top_session + 1 + target},
            "given": {"ringing_sessions": new_sessions, "session_places": new_places},
            "kind": "refusal" if forbidden else "action",
            "rule": "tenor_daily_minutes" if forbidden else None,
        }
        yield instance


def solve(tools, p):
    tenor = next(b for b in tools.list_bells()["bells"] if b["is_tenor"])
    sessions = tools.search_ringing_sessions(first_day=p["day"], last_day=p["day"])["ringing_sessions"]
    wanted = next(s for s in sessions if s["starts_at"][11:16] == p["time"])
    used = wanted["length_minutes"]
    for session in sessions:
        if session["id"] == wanted["id"]:
            continue
        places = tools.get_ringing_session(ringing_session_id=session["id"])["session_places"]
        if any(q["bell_id"] == tenor["id"] and q["status"] == "taken" for q in places):
            used += session["length_minutes"]
    if used > tenor["daily_minutes"]:
        return {
            "outcome": "refused",
            "answers": {"minutes_left": None},
            "reason": "tenor_daily_minutes",
            "message": (
                f"I could not put you on the tenor: with this session it would be rung for {used} minutes that day,"
                f" and at most {tenor['daily_minutes']} are allowed."
            ),
        }
    tools.take_session_place(ringing_session_id=wanted["id"], bell_id=tenor["id"])
    left = tenor["daily_minutes"] - used
    return {
        "outcome": "done",
        "answers": {"minutes_left": left},
        "reason": None,
        "message": f"You are on the tenor at {p['time']} on {p['day']}. Minutes left for it that day: {left}.",
    }


def _left(world, p):
    row = world.initial.one(
        "SELECT b.daily_minutes - sum(s.length_minutes) AS spare FROM ringing_sessions s JOIN bells b ON b.is_tenor = 1"
        " WHERE substr(s.starts_at, 1, 10) = ? AND (s.id = ? OR EXISTS (SELECT 1 FROM session_places p"
        " WHERE p.ringing_session_id = s.id AND p.bell_id = b.id AND p.status = 'taken'))",
        [p["day"], p["session"]],
    )
    return row["spare"]


def goal_is_on_the_tenor(world, p):
    """Has a taken place at the tenor in this session; where the allowance forbids it, is told so and has none."""
    rows = world.final.query(
        "SELECT b.is_tenor AS tenor FROM session_places q JOIN bells b ON b.id = q.bell_id"
        " WHERE q.ringing_session_id = ? AND q.ringer_id = 1 AND q.status = 'taken'",
        [p["session"]],
    )
    if _left(world, p) < 0:
        return world.report.outcome == "refused" and rows == []
    return [row["tenor"] for row in rows] == [1]


def goal_says_minutes_left(world, p):
    """Says how many minutes the tenor has left that day; says none where the place cannot be had."""
    left = _left(world, p)
    return world.report.says("minutes_left", None if left < 0 else left)


def guard_adds_that_place_only(world, p):
    """Changed nothing but one new place of the user at the tenor in this session, and nothing where that is forbidden."""
    if _left(world, p) < 0:
        return len(world.changes) == 0
    tenor = world.initial.one("SELECT id FROM bells WHERE is_tenor = 1")["id"]
    for change in world.changes:
        row = change["after"]
        if change["table"] != "session_places" or change["before"] is not None or row is None:
            return False
        if row["ringing_session_id"] != p["session"] or row["ringer_id"] != 1 or row["bell_id"] != tenor:
            return False
        if row["status"] != "taken" or row["given_up_at"] is not None:
            return False
    return len(world.changes) <= 1


def guard_reports_the_right_outcome(world, p):
    """Reports it as done, or as refused for the tenor's minutes where they would be exceeded."""
    if world.report.outcome is None:
        return True
    if _left(world, p) < 0:
        return world.report.outcome == "refused" and world.report.reason == "tenor_daily_minutes"
    return world.report.outcome == "done" and world.report.reason is None
