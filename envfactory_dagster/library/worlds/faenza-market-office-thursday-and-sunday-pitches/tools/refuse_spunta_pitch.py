REFUSE_SPUNTA_PITCH_SHORTER_BY_M = 1
def _accept_spunta_pitch_call(env, spunta_assignment_id):
    call = env.one(
        "SELECT a.id, a.status, a.market_day_id, a.pitch_id, a.spunta_register_entry_id, m.held_on, m.weekday, m.fee_thirds, m.antiques_fair, "
        "e.trader_id, e.stall_m, e.attendances, e.price_category_id, t.goods, t.is_local_producer, p.code AS pitch_code, p.row_name, p.number, p.front_m, p.is_corner "
        "FROM spunta_assignments a JOIN market_days m ON m.id = a.market_day_id JOIN spunta_register_entries e ON e.id = a.spunta_register_entry_id "
        "JOIN traders t ON t.id = e.trader_id LEFT JOIN pitches p ON p.id = a.pitch_id WHERE a.id = ? AND e.trader_id = ?",
        [spunta_assignment_id, env.user_id])
    if call is None:
        raise env.Error(f"You have no call {spunta_assignment_id} in the spunta.")
    if call["status"] != "called":
        raise env.Error(f"The call of {call['held_on']} has already been answered or closed: it is {call['status']}.")
    if call["held_on"] != env.now[:10]:
        raise env.Error(f"The call was for the market day of {call['held_on']}, not for today.")
    return call


def _accept_spunta_pitch_beside(env, call):
    if call["goods"] not in ("cheese", "fish"):
        return None
    other = "fish" if call["goods"] == "cheese" else "cheese"
    return env.one(
        "SELECT p.code, x.name FROM ("
        "SELECT c.pitch_id, t.name FROM concessions c JOIN traders t ON t.id = c.trader_id WHERE c.weekday = :weekday AND c.ended_on IS NULL AND t.goods = :other "
        "UNION ALL SELECT a.pitch_id, t.name FROM spunta_assignments a JOIN spunta_register_entries e ON e.id = a.spunta_register_entry_id JOIN traders t ON t.id = e.trader_id "
        "WHERE a.market_day_id = :day AND a.status IN ('called', 'accepted') AND t.goods = :other "
        "UNION ALL SELECT r.pitch_id, t.name FROM replacement_turns r JOIN concessions c ON c.id = r.concession_id JOIN traders t ON t.id = c.trader_id "
        "WHERE r.market_day_id = :day AND r.status IN ('planned', 'taken') AND t.goods = :other) x "
        "JOIN pitches p ON p.id = x.pitch_id WHERE p.row_name = :row AND abs(p.number - :number) = 1 ORDER BY p.number, x.name LIMIT 1",
        {"weekday": call["weekday"], "other": other, "day": call["market_day_id"], "row": call["row_name"], "number": call["number"]})


def _accept_spunta_pitch_shown(env, spunta_assignment_id):
    return env.one(
        "SELECT a.id, a.spunta_register_entry_id, a.market_day_id, a.pitch_id, a.status, a.attendance_change, a.called_at, a.answered_at, a.left_at, "
        "m.held_on, m.weekday, e.trader_id, t.name AS trader_name, p.code AS pitch_code, p.front_m FROM spunta_assignments a "
        "JOIN market_days m ON m.id = a.market_day_id JOIN spunta_register_entries e ON e.id = a.spunta_register_entry_id JOIN traders t ON t.id = e.trader_id "
        "LEFT JOIN pitches p ON p.id = a.pitch_id WHERE a.id = ?", [spunta_assignment_id])


def refuse_spunta_pitch(env, *, spunta_assignment_id: int) -> dict:
    """Refuses the pitch that the user is called for today."""
    call = _accept_spunta_pitch_call(env, spunta_assignment_id)
    too_short = call["stall_m"] - call["front_m"] > REFUSE_SPUNTA_PITCH_SHORTER_BY_M
    change = 1 if too_short or _accept_spunta_pitch_beside(env, call) is not None else 0
    env.execute("UPDATE spunta_assignments SET status = 'refused', attendance_change = ?, answered_at = ? WHERE id = ?", [change, env.now, spunta_assignment_id])
    env.execute("UPDATE spunta_register_entries SET attendances = attendances + ?, last_seen_on = ? WHERE id = ?", [change, env.now[:10], call["spunta_register_entry_id"]])
    return {"spunta_assignment": _accept_spunta_pitch_shown(env, spunta_assignment_id), "attendances": call["attendances"] + change}
