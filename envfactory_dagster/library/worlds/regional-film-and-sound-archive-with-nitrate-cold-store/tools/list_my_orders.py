def _order_rows(env, order_id, status) -> list:
    """The reader's cold-store orders with their cans, newest first."""
    rows = env.query(
        "SELECT o.id, o.order_no, o.received_at, o.item_id, i.item, i.title, o.asked_run_id, o.run_id, v.code, v.run_on,"
        " v.orders_close_at, o.wish_day, o.wish_slot_id, o.session_day, o.session_slot_id, o.technician_id, o.status,"
        " o.decided_at, o.cancelled_at, o.note"
        " FROM cold_store_orders o JOIN items i ON i.id = o.item_id LEFT JOIN van_runs v ON v.id = o.run_id"
        " WHERE o.reader_id = :reader AND (:order_id IS NULL OR o.id = :order_id) AND (:status IS NULL OR o.status = :status)"
        " ORDER BY o.received_at DESC, o.id DESC", {"reader": env.user_id, "order_id": order_id, "status": status})
    result = []
    for row in rows:
        order = dict(row)
        cans = env.query(
            "SELECT id, can_no, struck_off_at FROM order_cans WHERE cold_store_order_id = ? ORDER BY can_no", [order["id"]])
        order["cans"] = [dict(c) for c in cans]
        result.append(order)
    return result


def list_my_orders(env, *, status: str = None) -> dict:
    """Lists the reader's cold-store orders, newest first."""
    return {"cold_store_orders": _order_rows(env, None, status)}
