import datetime

LENGTHS = (30, 40, 45, 60, 75, 90)


def _stamp(moment):
    return moment.strftime("%Y-%m-%dT%H:%M:%S")


def instances(world, rng):
    """A stretch of past days in which the user rang methods granted to them, one of them for more minutes than the rest."""
    clock = datetime.datetime.fromisoformat(world.clock)
    granted = [
        row["method_id"]
        for row in world.query(
            "SELECT method_id FROM method_sign_offs WHERE ringer_id = 1 AND status = 'granted' ORDER BY method_id"
        )
    ]
    methods = [row["id"] for row in world.query("SELECT id FROM methods ORDER BY id")]
    bells = [row["id"] for row in world.query("SELECT id FROM bells WHERE is_tenor = 0 ORDER BY id")]
    ringers = [row["id"] for row in world.query("SELECT id FROM ringers WHERE id <> 1 ORDER BY id")]
    mine = world.query(
        "SELECT s.method_id, s.starts_at, s.length_minutes FROM session_places q"
        " JOIN ringing_sessions s ON s.id = q.ringing_session_id WHERE q.ringer_id = 1 AND q.status = 'rung'"
        " ORDER BY s.starts_at"
    )
    tops = world.one(
        "SELECT (SELECT max(id) FROM ringing_sessions) AS session_id, (SELECT max(id) FROM session_places) AS place_id"
    )
    used_days = {row["day"] for row in world.query("SELECT substr(starts_at, 1, 10) AS day FROM ringing_sessions")}
    today = clock.date()
    for _ in range(600):
        first = today - datetime.timedelta(days=rng.randint(40, 110))
        last = first + datetime.timedelta(days=rng.randint(25, 90))
        if last >= today:
            last = today - datetime.timedelta(days=rng.randint(2, 9))
        pool = [
            day
            for day in (first + datetime.timedelta(days=n) for n in range(-14, 120))
            if day < today - datetime.timedelta(days=1)
            and day.weekday() in (0, 1, 4, 6)
            and day.isoformat() not in used_days
        ]
        count = rng.randint(5, 8)
        if len(pool) < count:
            continue
        new_sessions, new_places, rung = [], [], []
        session_id, place_id = tops["session_id"], tops["place_id"]
        for day in sorted(rng.sample(pool, count)):
            session_id += 1
            sunday = day.weekday() == 6
            start = datetime.datetime.combine(day, datetime.time(10, 0) if sunday else datetime.time(19, 30))
            session = {
                "id": session_id,
                "kind": "sunday" if sunday else "practice",
                "method_id": rng.choice(granted) if rng.random() < 0.7 else rng.choice(methods),
                "starts_at": _stamp(start),
                "length_minutes": rng.choice(LENGTHS[:3]) if sunday else rng.choice(LENGTHS[3:]),
                "status": "rung",
                "cancelled_at": None,
            }
            new_sessions.append(session)
            crew = rng.sample(ringers, 4)
            spots = rng.sample(bells, 5)
            my_status = rng.choice(["rung", "rung", "rung", "rung", "given_up", None])
            rows = [(crew[k], spots[k], "rung") for k in range(rng.randint(2, 4))]
            if my_status is not None:
                rows.append((1, spots[4], my_status))
            for ringer_id, bell_id, status in rows:
                place_id += 1
                taken = start - datetime.timedelta(days=rng.randint(7, 12), minutes=rng.randint(0, 240))
                given_up = taken + datetime.timedelta(days=rng.randint(1, 3), minutes=rng.randint(5, 90))
                new_places.append({
                    "id": place_id,
                    "ringing_session_id": session_id,
                    "ringer_id": ringer_id,
                    "bell_id": bell_id,
                    "status": status,
                    "taken_at": _stamp(taken),
                    "given_up_at": _stamp(given_up) if status == "given_up" else None,
                })
            if my_status == "rung":
                rung.append(session)
        minutes = {method_id: 0 for method_id in granted}
        for row in mine + rung:
            if row["method_id"] in minutes and first.isoformat() <= row["starts_at"][:10] <= last.isoformat():
                minutes[row["method_id"]] += row["length_minutes"]
        order = sorted(minutes.values(), reverse=True)
        if len(order) < 2 or order[0] == order[1] or order[1] == 0:
            continue
        yield {
            "p": {"first": first.isoformat(), "last": last.isoformat()},
            "given": {"ringing_sessions": new_sessions, "session_places": new_places},
        }


def solve(tools, p):
    best, best_minutes, best_day, unused = None, 0, None, 0
    for sign_off in tools.list_my_method_sign_offs(status="granted")["method_sign_offs"]:
        places = tools.list_my_session_places(
            status="rung", method_id=sign_off["method_id"], first_day=p["first"], last_day=p["last"]
        )["session_places"]
        if not places:
            unused += 1
            continue
        minutes = 0
        for place in places:
            session = tools.get_ringing_session(ringing_session_id=place["ringing_session_id"])
            minutes += session["length_minutes"]
        if minutes > best_minutes:
            best, best_minutes = sign_off["method_name"], minutes
            best_day = max(place["starts_at"] for place in places)[:10]
    return {
        "outcome": "done",
        "answers": {"method": best, "minutes": best_minutes, "last_day": best_day, "methods_not_rung": unused},
        "reason": None,
        "message": (
            f"You rang {best} the longest, {best_minutes} minutes in all and last on {best_day}."
            f" Granted methods you did not ring at all in that time: {unused}."
        ),
    }


def _figures(world, p):
    return world.initial.query(
        "SELECT m.name AS name, coalesce(sum(t.length_minutes), 0) AS total, max(substr(t.starts_at, 1, 10)) AS day"
        " FROM method_sign_offs o JOIN methods m ON m.id = o.method_id"
        " LEFT JOIN (SELECT s.method_id, s.length_minutes, s.starts_at FROM session_places q"
        " JOIN ringing_sessions s ON s.id = q.ringing_session_id"
        " WHERE q.ringer_id = 1 AND q.status = 'rung' AND substr(s.starts_at, 1, 10) BETWEEN ? AND ?) t"
        " ON t.method_id = o.method_id"
        " WHERE o.ringer_id = 1 AND o.status = 'granted' GROUP BY m.id ORDER BY total DESC",
        [p["first"], p["last"]],
    )


def goal_says_which_method(world, p):
    """Says which granted method the user rang for most minutes."""
    return world.report.says("method", _figures(world, p)[0]["name"])


def goal_says_how_many_minutes(world, p):
    """Says how many minutes the user rang that method."""
    return world.report.says("minutes", _figures(world, p)[0]["total"])


def goal_says_the_last_day(world, p):
    """Says on which day of the stretch the user last rang that method."""
    return world.report.says("last_day", _figures(world, p)[0]["day"])


def goal_says_how_many_were_not_rung(world, p):
    """Says how many of the granted methods the user did not ring at all in that time."""
    return world.report.says("methods_not_rung", len([row for row in _figures(world, p) if row["total"] == 0]))


def guard_changes_nothing(world, p):
    """Changed nothing."""
    return len(world.changes) == 0


def guard_reports_it_as_done(world, p):
    """Reports that it is done, with no rule against it."""
    return world.report.outcome in (None, "done") and world.report.reason is None
