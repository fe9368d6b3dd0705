ENTER_SPUNTA_REGISTER_CATEGORIES = (
    ("fruit_vegetables", "A"), ("own_produce", "A"), ("cheese", "B"), ("cured_meat", "B"), ("bread", "B"), ("other_food", "B"),
    ("fish", "C"), ("roast_and_frying", "C"), ("clothing", "D"), ("shoes", "D"), ("household", "D"), ("ceramics", "D"), ("plants_flowers", "E"),
)

def enter_spunta_register(env, *, weekday: str, stall_m: float) -> dict:
    """Enters the user in the spunta register for a day of the week."""
    trader = env.one("SELECT id, goods FROM traders WHERE id = ?", [env.user_id])
    if trader is None:
        raise env.Error("You are not on record as a trader.")
    if stall_m <= 0 or stall_m * 2 != int(stall_m * 2):
        raise env.Error("The front of the stall is given in half metres.")
    code = dict(ENTER_SPUNTA_REGISTER_CATEGORIES)[trader["goods"]]
    category = env.one("SELECT id FROM price_categories WHERE code = ?", [code])
    if category is None:
        raise env.Error(f"The price list has no category {code}.")
    entry = env.one("SELECT id, status FROM spunta_register_entries WHERE trader_id = ? AND weekday = ?", [env.user_id, weekday])
    if entry is not None and entry["status"] != "withdrawn":
        raise env.Error(f"You already stand in the {weekday.capitalize()} register.")
    if entry is None:
        entry_id = env.insert(
            "INSERT INTO spunta_register_entries (trader_id, weekday, price_category_id, stall_m, attendances, entered_on, status) VALUES (?, ?, ?, ?, 0, ?, 'active')",
            [env.user_id, weekday, category["id"], float(stall_m), env.now[:10]])
    else:
        entry_id = entry["id"]
        env.execute("UPDATE spunta_register_entries SET status = 'active', stall_m = ?, price_category_id = ? WHERE id = ?", [float(stall_m), category["id"], entry_id])
    row = env.one(
        "SELECT e.id, e.trader_id, e.weekday, e.price_category_id, e.stall_m, e.attendances, e.entered_on, e.last_seen_on, e.status, "
        "t.name AS trader_name, t.goods, t.registered_on FROM spunta_register_entries e JOIN traders t ON t.id = e.trader_id WHERE e.id = ?", [entry_id])
    return {"spunta_register_entry": row}
