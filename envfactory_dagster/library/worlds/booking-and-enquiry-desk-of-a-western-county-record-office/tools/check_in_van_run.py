import datetime


def _shown(prefix: str, kept: str) -> str:
    """The code as it is told: S-02110 becomes SB-002110."""
    return prefix + "-" + f"{int(kept.split('-')[1]):06d}"


def _plus(day: str, days: int) -> str:
    return (datetime.date.fromisoformat(day) + datetime.timedelta(days=days)).isoformat()


def _piece(env, piece_ref: str) -> dict:
    row = env.one("SELECT p.*, c.collection_ref, c.title AS collection_title, c.record_class, c.closure_years, c.depositor_name, c.depositor_agent_name, c.credit_line FROM pieces p JOIN collections c ON c.id = p.collection_id WHERE upper(p.piece_ref) = ?", [piece_ref.upper()])
    if row is None:
        raise env.Error(f"There is no piece {piece_ref} in the catalogue.")
    return row


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


def _hold_for_next(env, piece_id: int) -> bool:
    """Put a piece that is free in the room on hold for the first request waiting for it."""
    waiting = env.one("SELECT id FROM piece_requests WHERE piece_id = ? AND status = 'queued' ORDER BY requested_at, id LIMIT 1", [piece_id])
    if waiting is None:
        return False
    env.execute("UPDATE piece_requests SET status = 'on_hold', arrived_at = ?, held_until = ? WHERE id = ?", [env.now, _room_day_after(env, env.now[:10], 10), waiting["id"]])
    return True


def check_in_van_run(env, *, run_date: str, arrived_at: str, missing: list, damaged: list = None, unlisted: list = None) -> dict:
    """Check a van's load in against its list."""
    arrived = arrived_at[:19] if len(arrived_at) >= 19 else arrived_at[:16] + ":00"
    today = env.now[:10]
    if run_date != today or arrived[:10] != today:
        raise env.Error("A van's load is checked in on the day of its run.")
    if arrived > env.now:
        raise env.Error("The van cannot have come later than now.")
    extra = [_piece(env, ref) for ref in unlisted or []]
    run = env.one("SELECT * FROM van_runs WHERE run_date = ?", [run_date])
    if run is None and (not extra or missing or damaged):
        raise env.Error(f"No van run is on file for {run_date}; only pieces nobody asked for can be sent back with it.")
    if run is not None and run["status"] != "planned":
        raise env.Error(f"The run of {run_date} has been {'checked in already' if run['status'] == 'arrived' else 'dropped'}.")
    listed = env.query("SELECT q.*, upper(p.piece_ref) AS piece_ref FROM piece_requests q JOIN pieces p ON p.id = q.piece_id WHERE q.van_run_id = ? AND (q.status = 'listed' OR (q.status = 'released' AND q.arrived_at IS NULL)) ORDER BY q.id", [run["id"] if run else 0])
    on_list = [r["piece_ref"] for r in listed]
    gone = [m["piece_ref"].upper() for m in missing]
    hurt = {d["piece_ref"].upper(): d["what_seen"] for d in damaged or []}
    for ref in gone + list(hurt):
        if ref not in on_list:
            raise env.Error(f"{ref} is not on the list of {run_date}.")
    for ref in hurt:
        if ref in gone:
            raise env.Error(f"{ref} cannot be both missing and damaged.")
    for piece in extra:
        if piece["piece_ref"].upper() in on_list:
            raise env.Error(f"{piece['piece_ref'].upper()} is on the list.")
        if piece["location"] not in ("mill_strongroom", "van_shelf"):
            raise env.Error(f"{piece['piece_ref'].upper()} is not at the mill by the file.")
    following = env.one("SELECT id, run_date FROM van_runs WHERE status = 'planned' AND run_date > ? ORDER BY run_date LIMIT 1", [run_date])
    if gone and following is None:
        raise env.Error("There is no later run on file to take the missing pieces.")
    hold, rolled, cases, count = _room_day_after(env, today, 10), [], [], 0
    for row in listed:
        if row["piece_ref"] in gone:
            env.execute("UPDATE piece_requests SET van_run_id = ? WHERE id = ?", [following["id"], row["id"]])
            rolled.append({"request_id": _shown("PR", row["request_no"]), "new_run_date": following["run_date"]})
            continue
        if row["piece_ref"] in hurt:
            env.execute("UPDATE piece_requests SET status = 'queued', van_run_id = NULL WHERE id = ? AND status = 'listed'", [row["id"]])
            env.execute("UPDATE pieces SET location = 'conservation' WHERE id = ?", [row["piece_id"]])
            if env.one("SELECT id FROM restrictions WHERE piece_id = ? AND kind = 'fragile_original'", [row["piece_id"]]) is None:
                env.insert("INSERT INTO restrictions (piece_id, kind, reason) VALUES (?, 'fragile_original', ?)", [row["piece_id"], hurt[row["piece_ref"]]])
            number = env.new_id("A")
            case = env.insert("INSERT INTO access_cases (case_no, reader_id, kind, use, purpose, status, opened_on) VALUES (?, ?, 'conservator_word', 'view', ?, 'open', ?)", [number, row["reader_id"], "Damage seen on arrival: " + hurt[row["piece_ref"]], today])
            env.insert("INSERT INTO access_case_pieces (access_case_id, piece_id) VALUES (?, ?)", [case, row["piece_id"]])
            cases.append(_shown("AC", number))
            continue
        if row["status"] == "released":
            env.execute("UPDATE piece_requests SET arrived_at = ? WHERE id = ?", [arrived, row["id"]])
            env.execute("UPDATE pieces SET location = 'hold_shelf' WHERE id = ?", [row["piece_id"]])
            _hold_for_next(env, row["piece_id"])
        else:
            env.execute("UPDATE piece_requests SET status = 'on_hold', arrived_at = ?, held_until = ? WHERE id = ?", [arrived, hold, row["id"]])
            env.execute("UPDATE pieces SET location = 'hold_shelf' WHERE id = ?", [row["piece_id"]])
        count += 1
    for piece in extra:
        env.execute("UPDATE pieces SET location = 'van_shelf' WHERE id = ?", [piece["id"]])
    if run is not None:
        env.execute("UPDATE van_runs SET status = 'arrived', arrived_at = ? WHERE id = ?", [arrived, run["id"]])
    return {"run_date": run_date, "arrived_count": count, "rolled_forward": rolled, "access_cases_opened": cases}
