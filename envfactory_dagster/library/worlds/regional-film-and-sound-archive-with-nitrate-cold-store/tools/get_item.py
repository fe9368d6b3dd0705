def get_item(env, *, item_id: int) -> dict:
    """Shows one item, its prints, and where its cans are or will be."""
    row = env.one(
        "SELECT id, item, item_class, title, made, printed, print_of_id, format, cans, minutes, condition, place, access_copy,"
        " issued_to, rights, digital_master FROM items WHERE id = ?", [item_id])
    if row is None:
        raise env.Error(f"there is no item {item_id}")
    prints = env.query("SELECT id, item, printed FROM items WHERE print_of_id = ? ORDER BY item", [item_id])
    carriages = env.query(
        "SELECT c.can_no, v.id AS van_run_id, v.code, v.run_on, v.goes_back_on, v.status FROM order_cans c"
        " JOIN cold_store_orders o ON o.id = c.cold_store_order_id JOIN van_runs v ON v.id = o.run_id"
        " WHERE o.item_id = ? AND c.struck_off_at IS NULL AND o.status IN ('on a run', 'seen', 'absent', 'scanned')"
        " AND (v.status = 'planned' OR (v.status = 'over' AND v.goes_back_on > ?)) ORDER BY v.run_on, c.can_no",
        [item_id, env.now[:10]])
    return {"item": dict(row), "prints": [dict(p) for p in prints], "can_carriages": [dict(c) for c in carriages]}
