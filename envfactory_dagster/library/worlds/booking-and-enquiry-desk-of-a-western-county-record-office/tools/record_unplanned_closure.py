import datetime
import json


def _shown(prefix: str, kept: str) -> str:
    """The code as it is told: S-02110 becomes SB-002110."""
    return prefix + "-" + f"{int(kept.split('-')[1]):06d}"


def _plus(day: str, days: int) -> str:
    return (datetime.date.fromisoformat(day) + datetime.timedelta(days=days)).isoformat()


def _shut_parts(env, day: str) -> list:
    return [r["part"] for r in env.query("SELECT part FROM closures WHERE day = ? ORDER BY id", [day])]


def _sittings(env, day: str) -> list:
    """The sittings of a day that no closure takes away, the earliest first."""
    weekday = datetime.date.fromisoformat(day).isoweekday()
    rows = env.query("SELECT * FROM opening_sittings WHERE weekday = ? ORDER BY starts_at, ends_at, id", [weekday])
    parts = _shut_parts(env, day)
    if "all_day" in parts:
        return []
    kept = []
    for row in rows:
        if row["sitting"] in parts or (row["sitting"] == "full_day" and ("morning" in parts or "afternoon" in parts)):
            continue
        kept.append(row)
    return kept


def _room_day_after(env, day: str, count: int) -> str:
    """The day that is so many room days after this one."""
    current, left, guard = day, count, 0
    while left > 0 and guard < 400:
        current, guard = _plus(current, 1), guard + 1
        if _sittings(env, current):
            left -= 1
    return current


def record_unplanned_closure(env, *, date: str, part: str, reason: str, authorised_by: str, van_run_dropped: bool = False, note: str = None, dry_run: bool = False) -> dict:
    """Shut the room on a day or part of one and move what it touches."""
    today = env.now[:10]
    if not today <= date <= _plus(today, 7):
        raise env.Error(f"An unplanned closure can be entered only from today to {_plus(today, 7)}.")
    if reason == "other" and not note:
        raise env.Error("Say in the note what the reason is.")
    closed = _shut_parts(env, date)
    if "all_day" in closed or part in closed:
        raise env.Error(f"The room is shut then already on {date}.")
    sittings = [s for s in _sittings(env, date) if part == "all_day" or s["sitting"] == part or (part in ("morning", "afternoon") and s["sitting"] == "full_day")]
    if not any(part == "all_day" or s["sitting"] == part for s in sittings):
        raise env.Error(f"The room has no such sitting on {date}.")
    if max(s["ends_at"] for s in sittings if part == "all_day" or s["sitting"] == part) <= env.now[11:16] and date == today:
        raise env.Error("That part of today is over.")
    run = env.one("SELECT * FROM van_runs WHERE run_date = ? AND status = 'planned'", [date])
    if van_run_dropped and run is None:
        raise env.Error(f"There is no van run to drop on {date}.")
    dropped = run is not None and (van_run_dropped or reason == "red_weather_warning")
    bookings = env.query("SELECT id, booking_no FROM seat_bookings WHERE day = ? AND status = 'booked' AND opening_sitting_id IN (SELECT value FROM json_each(?)) ORDER BY id", [date, json.dumps([s["id"] for s in sittings])])
    moved = env.query("SELECT id, request_no FROM piece_requests WHERE van_run_id = ? AND status = 'listed' ORDER BY id", [run["id"]]) if dropped else []
    following = env.one("SELECT id, run_date FROM van_runs WHERE status = 'planned' AND run_date > ? ORDER BY run_date LIMIT 1", [date])
    if moved and following is None:
        raise env.Error("There is no later run on file that could take what is listed for this one.")
    visits = env.query("SELECT application_no FROM bursary_applications WHERE status = 'awarded' AND ? BETWEEN visit_from AND visit_to ORDER BY id", [date])
    if not dry_run:
        key = env.insert("INSERT INTO closures (day, part, kind, reason, van_run_dropped, authorised_by, note, recorded_by_reader_id, recorded_at) VALUES (?, ?, 'unplanned', ?, ?, ?, ?, ?, ?)", [date, part, reason, 1 if dropped else 0, authorised_by, note, env.user_id, env.now])
        for row in bookings:
            env.execute("UPDATE seat_bookings SET status = 'closed_out', closure_id = ? WHERE id = ?", [key, row["id"]])
        for row in moved:
            env.execute("UPDATE piece_requests SET van_run_id = ? WHERE id = ?", [following["id"], row["id"]])
        if dropped:
            env.execute("UPDATE van_runs SET status = 'dropped', closure_id = ? WHERE id = ?", [key, run["id"]])
        if not _sittings(env, date):
            for row in env.query("SELECT id, held_until FROM piece_requests WHERE status = 'on_hold' AND held_until >= ? ORDER BY id", [date]):
                env.execute("UPDATE piece_requests SET held_until = ? WHERE id = ?", [_room_day_after(env, row["held_until"], 1), row["id"]])
    return {"recorded": not dry_run, "displaced_bookings": [_shown("SB", r["booking_no"]) for r in bookings], "requests_moved": [{"request_id": _shown("PR", r["request_no"]), "new_run_date": following["run_date"]} for r in moved], "bursary_visits_touched": [_shown("BA", r["application_no"]) for r in visits]}
