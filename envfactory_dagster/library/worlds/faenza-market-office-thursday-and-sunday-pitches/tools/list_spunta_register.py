def list_spunta_register(env, *, weekday: str) -> dict:
    """Shows the spunta register for a day of the week in the order of the call."""
    rows = env.query(
        "SELECT e.id, e.trader_id, e.weekday, e.price_category_id, e.stall_m, e.attendances, e.entered_on, e.last_seen_on, e.status, "
        "t.name AS trader_name, t.goods, t.registered_on FROM spunta_register_entries e JOIN traders t ON t.id = e.trader_id WHERE e.weekday = ? "
        "ORDER BY CASE e.status WHEN 'active' THEN 0 ELSE 1 END, e.attendances DESC, t.registered_on, e.id", [weekday])
    return {"spunta_register_entries": rows}
