ACCEPT_SPUNTA_PITCH_LEAST_CENTS = 600
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


def _accept_spunta_pitch_price(env, call):
    category = env.one("SELECT code, spuntista_cents_per_m FROM price_categories WHERE id = ?", [call["price_category_id"]])
    top = category["spuntista_cents_per_m"] * int(call["front_m"] * 2)
    bottom = 2
    fair = call["antiques_fair"] not in ("none", "called_off_in_time")
    if call["is_corner"] and not (fair and call["goods"] == "cheese"):
        top, bottom = top * 115, bottom * 100
    if call["row_name"] == "via_pistocchi" and call["goods"] != "fish":
        top, bottom = top * 90, bottom * 100
    if call["is_local_producer"] and category["code"] == "A":
        top, bottom = top * 80, bottom * 100
    cents = max(ACCEPT_SPUNTA_PITCH_LEAST_CENTS, (2 * top + bottom) // (2 * bottom))
    return (2 * cents * call["fee_thirds"] + 3) // 6


def accept_spunta_pitch(env, *, spunta_assignment_id: int) -> dict:
    """Accepts the pitch that the user is called for today."""
    call = _accept_spunta_pitch_call(env, spunta_assignment_id)
    beside = _accept_spunta_pitch_beside(env, call)
    if beside is not None:
        raise env.Error(f"{call['pitch_code']} would put cheese beside fish: {beside['name']} has {beside['code']}.")
    cents = _accept_spunta_pitch_price(env, call)
    today = env.now[:10]
    env.execute("UPDATE spunta_assignments SET status = 'accepted', attendance_change = 1, answered_at = ? WHERE id = ?", [env.now, spunta_assignment_id])
    env.execute("UPDATE spunta_register_entries SET attendances = attendances + 1, last_seen_on = ? WHERE id = ?", [today, call["spunta_register_entry_id"]])
    charge_id = env.insert(
        "INSERT INTO fee_charges (code, trader_id, kind, spunta_assignment_id, period_from, period_to, pitch_cents, electricity_cents, surcharge_cents, due_on, status) "
        "VALUES (?, ?, 'spunta_day', ?, ?, ?, ?, 0, 0, ?, 'open')",
        [env.new_id("MF"), env.user_id, spunta_assignment_id, today, today, cents, today])
    charge = env.one("SELECT id, code, kind, concession_id, spunta_assignment_id, period_from, period_to, pitch_cents, electricity_cents, surcharge_cents, due_on, status, paid_at, paid_by FROM fee_charges WHERE id = ?", [charge_id])
    return {"spunta_assignment": _accept_spunta_pitch_shown(env, spunta_assignment_id), "attendances": call["attendances"] + 1, "fee_charge": charge}
