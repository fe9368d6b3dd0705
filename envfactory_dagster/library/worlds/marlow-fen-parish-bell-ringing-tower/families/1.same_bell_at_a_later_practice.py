import datetime

EVENINGS = ("17:00", "17:15", "17:45", "18:00", "18:15", "18:45", "19:00", "19:15", "19:45", "20:00", "20:15")


def _stamp(moment):
    return moment.strftime("%Y-%m-%dT%H:%M:%S")


def instances(world, rng):
    """A place of the user in a practice to come, more or less than a day ahead, and later practices to choose from."""
    clock = datetime.datetime.fromisoformat(world.clock)
    old_sessions = world.query(
        "SELECT id, starts_at, kind, status FROM ringing_sessions ORDER BY starts_at"
    )
    old_places = world.query(
        "SELECT id, bell_id, ringer_id, ringing_session_id, status FROM session_places ORDER BY ringing_session_id"
    )
    bells = world.query("SELECT id, number FROM bells WHERE is_tenor = 0 ORDER BY number")
    methods = [row["id"] for row in world.query("SELECT id FROM methods ORDER BY name")]
    ringers = [row["id"] for row in world.query("SELECT id FROM ringers WHERE id <> 1 ORDER BY name")]
    used = {row["starts_at"] for row in old_sessions}
    used_days = {moment[:10] for moment in used}
    top_session = max(row["id"] for row in old_sessions)
    top_place = max(row["id"] for row in old_places)
    today = clock.date()
    for _ in range(600):
        late = rng.random() < 0.35
        if late and rng.random() < 0.25:
            # early tomorrow: another date, but still less than 24 hours ahead
            day, time = today + datetime.timedelta(days=1), rng.choice(("07:00", "07:30", "08:00", "08:15"))
        elif late:
            day, time = today, rng.choice(EVENINGS)
        else:
            day, time = today + datetime.timedelta(days=rng.choice((1, 1, 2, 3, 5, 8, 13, 20, 26))), rng.choice(EVENINGS)
        start = datetime.datetime.combine(day, datetime.time.fromisoformat(time))
        if _stamp(start) in used:
            continue
        if not late and (day.weekday() in (5, 6) or (day != today + datetime.timedelta(days=1) and day.isoformat() in used_days)):
            continue
        bell = rng.choice(bells)
        later = [
            d
            for d in (day + datetime.timedelta(days=n) for n in range(1, 30))
            if d.weekday() in (0, 1, 3, 4) and d.isoformat() not in used_days
        ]
        moments = [start] + [
            datetime.datetime.combine(d, datetime.time.fromisoformat(rng.choice(EVENINGS)))
            for d in sorted(rng.sample(later, rng.randint(3, 5)))
        ]
        new_sessions, new_places = [], []
        place_id = top_place
        for n, moment in enumerate(moments):
            session_id = top_session + 1 + n
            new_sessions.append({
                "id": session_id,
                "kind": "practice",
                "method_id": rng.choice(methods),
                "starts_at": _stamp(moment),
                "length_minutes": rng.choice((45, 60, 75)),
                "status": "open",
                "cancelled_at": None,
            })
            crew = rng.sample(ringers, 4)
            spots = rng.sample([b["id"] for b in bells if b["id"] != bell["id"]], 4)
            rows = [(crew[k], spots[k], "taken") for k in range(rng.randint(1, 3))]
            if n == 0:
                rows.append((1, bell["id"], "taken"))
            else:
                turn = rng.choice(["bell taken", "bell taken", "bell given up", "mine", "free", "free"])
                if turn == "bell taken":
                    rows.append((crew[3], bell["id"], "taken"))
                elif turn == "bell given up":
                    rows.append((crew[3], bell["id"], "given_up"))
                elif turn == "mine":
                    rows.append((1, spots[3], "taken"))
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
        after = sorted(
            (s for s in old_sessions + new_sessions
             if s["kind"] == "practice" and s["status"] == "open" and s["starts_at"] > _stamp(start)),
            key=lambda s: s["starts_at"],
        )
        skipped, found = 0, None
        for session in after:
            held = [
                q for q in old_places + new_places
                if q["ringing_session_id"] == session["id"] and q["status"] == "taken"
            ]
            if any(q["bell_id"] == bell["id"] or q["ringer_id"] == 1 for q in held):
                skipped += 1
                continue
            found = session
            break
        if found is None or (skipped == 0 and rng.random() < 0.7):
            continue
        yield {
            "p": {
                "day": day.isoformat(),
                "time": time,
                "number": bell["number"],
                "session": top_session + 1,
                "late": late,
            },
            "given": {"ringing_sessions": new_sessions, "session_places": new_places},
            "kind": "refusal" if late else "action",
            "rule": "give_up_place_notice" if late else None,
        }


def solve(tools, p):
    mine = tools.list_my_session_places(status="taken", kind="practice", first_day=p["day"])["session_places"]
    place = next(
        q for q in mine
        if q["starts_at"][:10] == p["day"] and q["starts_at"][11:16] == p["time"] and q["bell_number"] == p["number"]
    )
    busy = {q["ringing_session_id"] for q in mine}
    found = None
    for session in tools.search_ringing_sessions(kind="practice", status="open", first_day=p["day"])["ringing_sessions"]:
        if session["starts_at"] <= place["starts_at"] or session["id"] in busy:
            continue
        free = tools.get_ringing_session(ringing_session_id=session["id"])["free_bells"]
        if any(b["id"] == place["bell_id"] for b in free):
            found = session
            break
    try:
        tools.give_up_session_place(session_place_id=place["id"])
    except tools.Error:
        return {
            "outcome": "refused",
            "answers": {"new_day": None},
            "reason": "give_up_place_notice",
            "message": (
                f"Your place at {p['time']} on {p['day']} can no longer be given up, since the practice starts in less"
                " than 24 hours. I left everything as it was."
            ),
        }
    tools.take_session_place(ringing_session_id=found["id"], bell_id=place["bell_id"])
    day = found["starts_at"][:10]
    return {
        "outcome": "done",
        "answers": {"new_day": day},
        "reason": None,
        "message": f"I gave up your place on {p['day']} and put you on the number {p['number']} at the practice on {day}.",
    }


def _old(world, p):
    return world.initial.one(
        "SELECT q.*, s.starts_at AS starts_at FROM session_places q JOIN ringing_sessions s"
        " ON s.id = q.ringing_session_id WHERE s.id = ? AND q.ringer_id = 1 AND q.status = 'taken'",
        [p["session"]],
    )


def _next(world, p):
    old = _old(world, p)
    return world.initial.one(
        "SELECT s.id AS id, substr(s.starts_at, 1, 10) AS day FROM ringing_sessions s"
        " WHERE s.kind = 'practice' AND s.status = 'open' AND s.starts_at > ? AND NOT EXISTS"
        " (SELECT 1 FROM session_places q WHERE q.ringing_session_id = s.id AND q.status <> 'given_up'"
        " AND (q.bell_id = ? OR q.ringer_id = 1)) ORDER BY s.starts_at LIMIT 1",
        [old["starts_at"], old["bell_id"]],
    )


def goal_gave_the_place_up(world, p):
    """Has given the place up; where it is too late, is told so and still has it."""
    old = _old(world, p)
    row = world.final.one("SELECT status, given_up_at FROM session_places WHERE id = ?", [old["id"]])
    if row is None:
        return False
    if p["late"]:
        return world.report.outcome == "refused" and row["status"] == "taken"
    return row["status"] == "given_up" and row["given_up_at"] is not None


def goal_has_the_bell_at_the_next_practice(world, p):
    """Has the same bell at the first later practice where it was free; where it is too late, has no place there."""
    old, new = _old(world, p), _next(world, p)
    rows = world.final.query(
        "SELECT bell_id FROM session_places WHERE ringing_session_id = ? AND ringer_id = 1 AND status = 'taken'",
        [new["id"]],
    )
    if p["late"]:
        return world.report.outcome == "refused" and rows == []
    return [row["bell_id"] for row in rows] == [old["bell_id"]]


def goal_says_the_new_day(world, p):
    """Says the day of the new practice, and none where nothing could be done."""
    return world.report.says("new_day", None if p["late"] else _next(world, p)["day"])


def guard_changes_those_two_places_only(world, p):
    """Changed nothing but the old place and one new one, and nothing at all where it is too late."""
    if p["late"]:
        return len(world.changes) == 0
    old, new = _old(world, p), _next(world, p)
    added = 0
    for change in world.changes:
        before, after = change["before"], change["after"]
        if change["table"] != "session_places" or after is None:
            return False
        if before is None:
            added += 1
            if after["ringing_session_id"] != new["id"] or after["ringer_id"] != 1 or after["bell_id"] != old["bell_id"]:
                return False
            if after["status"] != "taken" or after["given_up_at"] is not None:
                return False
        else:
            if before["id"] != old["id"] or after["status"] != "given_up":
                return False
            for column in ("ringing_session_id", "ringer_id", "bell_id", "taken_at"):
                if before[column] != after[column]:
                    return False
    return added <= 1


def guard_reports_the_right_outcome(world, p):
    """Reports it as done, or as refused for the missing notice where the practice starts within 24 hours."""
    if world.report.outcome is None:
        return True
    if p["late"]:
        return world.report.outcome == "refused" and world.report.reason == "give_up_place_notice"
    return world.report.outcome == "done" and world.report.reason is None
