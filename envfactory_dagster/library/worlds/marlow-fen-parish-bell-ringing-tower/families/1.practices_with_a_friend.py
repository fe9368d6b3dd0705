import datetime

STARTS = ("18:45", "19:00", "19:15", "19:30", "19:45")
LENGTHS = (60, 75, 90)


def _stamp(moment):
    return moment.strftime("%Y-%m-%dT%H:%M:%S")


def _lightest(free):
    usable = [b for b in free if not b["is_tenor"]]
    return min(usable, key=lambda b: b["weight_kg"]) if usable else None


def instances(world, rng):
    """A method, another ringer and a stretch of days with practices of the method, some of them with that ringer."""
    clock = datetime.datetime.fromisoformat(world.clock)
    old_sessions = world.query(
        "SELECT s.id, s.kind, s.method_id, s.starts_at, s.length_minutes, s.status FROM ringing_sessions s ORDER BY s.id"
    )
    old_places = world.query(
        "SELECT q.id, q.ringing_session_id, q.ringer_id, q.bell_id, q.status FROM session_places q ORDER BY q.id"
    )
    bells = world.query("SELECT id, weight_kg, is_tenor FROM bells ORDER BY number")
    methods = world.query("SELECT id, name FROM methods ORDER BY id")
    ringers = world.query("SELECT r.id, r.name FROM ringers r WHERE r.id <> 1 ORDER BY r.id")
    used_days = {row["starts_at"][:10] for row in old_sessions}
    for _ in range(500):
        method = rng.choice(methods)
        friend = rng.choice(ringers)
        begin = clock.date() + datetime.timedelta(days=rng.randint(3, 60))
        length = rng.randint(24, 45)
        first = begin + datetime.timedelta(days=5)
        last = first + datetime.timedelta(days=length)
        days = [
            day
            for day in (begin + datetime.timedelta(days=n) for n in range(length + 11))
            if day.weekday() in (0, 1, 3) and day.isoformat() not in used_days
        ]
        count = rng.randint(6, 9)
        if len(days) < count:
            continue
        new_sessions, new_places = [], []
        session_id, place_id = old_sessions[-1]["id"], old_places[-1]["id"]
        for day in sorted(rng.sample(days, count)):
            session_id += 1
            other_method = rng.choice([m for m in methods if m["id"] != method["id"]])
            new_sessions.append({
                "id": session_id,
                "kind": "practice",
                "method_id": method["id"] if rng.random() < 0.75 else other_method["id"],
                "starts_at": f"{day.isoformat()}T{rng.choice(STARTS)}:00",
                "length_minutes": rng.choice(LENGTHS),
                "status": "open",
                "cancelled_at": None,
            })
            lighter = rng.sample([b["id"] for b in bells if not b["is_tenor"]], 6)
            crowd = rng.sample([r["id"] for r in ringers if r["id"] != friend["id"]], 6)
            rows = [(crowd[k], lighter[k], "taken") for k in range(rng.randint(2, 4))]
            rows.append((friend["id"], lighter[4], rng.choice(["taken", "taken", "taken", "given_up", None])))
            rows.append((1, lighter[5], rng.choice(["taken", None, None, None])))
            for ringer_id, bell_id, status in rows:
                if status is None:
                    continue
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
        fits, left_out, blocked = 0, 0, False
        for session in old_sessions + new_sessions:
            if session["kind"] != "practice" or session["status"] != "open" or session["starts_at"] <= world.clock:
                continue
            if not first.isoformat() <= session["starts_at"][:10] <= last.isoformat():
                continue
            held = [
                q for q in old_places + new_places
                if q["ringing_session_id"] == session["id"] and q["status"] != "given_up"
            ]
            who = {q["ringer_id"] for q in held}
            if session["method_id"] == method["id"] and friend["id"] in who and 1 not in who:
                taken_bells = {q["bell_id"] for q in held}
                if _lightest([b for b in bells if b["id"] not in taken_bells]) is None:
                    blocked = True
                fits += 1
            else:
                left_out += 1
        if blocked or fits < 2 or fits > 5 or left_out < 2:
            continue
        yield {
            "p": {
                "method": method["name"],
                "friend": friend["name"],
                "first": first.isoformat(),
                "last": last.isoformat(),
                "friend_id": friend["id"],
                "method_id": method["id"],
            },
            "given": {"ringing_sessions": new_sessions, "session_places": new_places},
        }


def solve(tools, p):
    method = next(m for m in tools.list_methods()["methods"] if m["name"] == p["method"])
    sessions = tools.search_ringing_sessions(
        kind="practice", method_id=method["id"], status="open", first_day=p["first"], last_day=p["last"]
    )["ringing_sessions"]
    count = 0
    for found in sessions:
        session = tools.get_ringing_session(ringing_session_id=found["id"])
        if any(q["is_mine"] for q in session["session_places"]):
            continue
        if not any(q["ringer_name"] == p["friend"] for q in session["session_places"]):
            continue
        bell = _lightest(session["free_bells"])
        tools.take_session_place(ringing_session_id=found["id"], bell_id=bell["id"])
        count += 1
    return {
        "outcome": "done",
        "answers": {"new_places": count},
        "reason": None,
        "message": f"I put you down for {count} practices of {p['method']} at which {p['friend']} rings.",
    }


def _due(world, p):
    rows = world.initial.query(
        "SELECT s.id AS session_id FROM ringing_sessions s"
        " WHERE s.kind = 'practice' AND s.status = 'open' AND s.method_id = ?"
        " AND substr(s.starts_at, 1, 10) BETWEEN ? AND ?"
        " AND EXISTS (SELECT 1 FROM session_places f WHERE f.ringing_session_id = s.id AND f.ringer_id = ?"
        " AND f.status = 'taken')"
        " AND NOT EXISTS (SELECT 1 FROM session_places m WHERE m.ringing_session_id = s.id AND m.ringer_id = 1"
        " AND m.status = 'taken')",
        [p["method_id"], p["first"], p["last"], p["friend_id"]],
    )
    due = {}
    for row in rows:
        bell = world.initial.one(
            "SELECT b.id AS bell_id FROM bells b WHERE b.is_tenor = 0 AND b.id NOT IN"
            " (SELECT t.bell_id FROM session_places t WHERE t.ringing_session_id = ? AND t.status <> 'given_up')"
            " ORDER BY b.weight_kg LIMIT 1",
            [row["session_id"]],
        )
        due[row["session_id"]] = bell["bell_id"]
    return due


def goal_has_a_place_at_each(world, p):
    """Has one taken place, at the lightest free bell but the tenor, in every practice that was meant."""
    for session_id, bell_id in _due(world, p).items():
        rows = world.final.query(
            "SELECT n.bell_id AS bell_id FROM session_places n"
            " WHERE n.ringing_session_id = ? AND n.ringer_id = 1 AND n.status = 'taken'",
            [session_id],
        )
        if [row["bell_id"] for row in rows] != [bell_id]:
            return False
    return True


def goal_says_how_many(world, p):
    """Says for how many practices a place was taken."""
    return world.report.says("new_places", len(_due(world, p)))


def guard_adds_those_places_only(world, p):
    """Changed nothing but new places of the user, at the right bell, in the practices that were meant."""
    due = _due(world, p)
    seen = set()
    for change in world.changes:
        row = change["after"]
        if change["table"] != "session_places" or change["before"] is not None or row is None:
            return False
        if row["ringer_id"] != 1 or row["status"] != "taken" or row["given_up_at"] is not None:
            return False
        session_id = row["ringing_session_id"]
        if session_id in seen or due.get(session_id) != row["bell_id"]:
            return False
        seen.add(session_id)
    return True


def guard_reports_it_as_done(world, p):
    """Reports that it is done, with no rule against it."""
    return world.report.outcome in (None, "done") and world.report.reason is None
