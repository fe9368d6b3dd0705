def leave_spunta_register(env, *, spunta_register_entry_id: int) -> dict:
    """Withdraws the user from a spunta register."""
    entry = env.one("SELECT id, status FROM spunta_register_entries WHERE id = ? AND trader_id = ?", [spunta_register_entry_id, env.user_id])
    if entry is None:
        raise env.Error(f"You have no register entry {spunta_register_entry_id}.")
    if entry["status"] == "withdrawn":
        raise env.Error("This entry has already been withdrawn.")
    if env.one("SELECT id FROM spunta_assignments WHERE spunta_register_entry_id = ? AND status = 'called'", [spunta_register_entry_id]) is not None:
        raise env.Error("You have been called and must accept or refuse the pitch first.")
    env.execute("UPDATE spunta_register_entries SET status = 'withdrawn' WHERE id = ?", [spunta_register_entry_id])
    row = env.one(
        "SELECT e.id, e.trader_id, e.weekday, e.price_category_id, e.stall_m, e.attendances, e.entered_on, e.last_seen_on, e.status, "
        "t.name AS trader_name, t.goods, t.registered_on FROM spunta_register_entries e JOIN traders t ON t.id = e.trader_id WHERE e.id = ?", [spunta_register_entry_id])
    return {"spunta_register_entry": row}
