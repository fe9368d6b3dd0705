import datetime


def _room_closed_on(env, day: str) -> bool:
    """Whether the room is closed on a day: Sundays and the closed days."""
    if datetime.date.fromisoformat(day).weekday() == 6:
        return True
    row = env.one("SELECT id FROM closed_days WHERE first_day <= ? AND last_day >= ?", [day, day])
    return row is not None


def _room_must_be_open(env) -> None:
    """Refuses outside the hours in which the books are written."""
    today = env.now[:10]
    hour = env.now[11:19]
    last = "13:30:00" if datetime.date.fromisoformat(today).weekday() == 5 else "17:30:00"
    if _room_closed_on(env, today) or hour < "10:00:00" or hour > last:
        raise env.Error("nothing is written in the books now: the room is open Monday to Friday 10:00-17:30 and Saturday 10:00-13:30, but not on closed days")


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


def _account_rows(env, status, order_id, booking_id) -> list:
    """Lines of the reader's account, of one order or booking where one is named, newest first."""
    rows = env.query(
        "SELECT a.id, a.price_id, p.price_no, p.what, a.amount_cents, a.written_at, a.order_can_id, a.cold_store_order_id,"
        " o.order_no, a.booking_id, b.booking_no, i.title, a.status, a.paid_on, a.note"
        " FROM account_lines a JOIN prices p ON p.id = a.price_id"
        " LEFT JOIN order_cans c ON c.id = a.order_can_id"
        " LEFT JOIN cold_store_orders o ON o.id = COALESCE(a.cold_store_order_id, c.cold_store_order_id)"
        " LEFT JOIN bookings b ON b.id = a.booking_id"
        " LEFT JOIN items i ON i.id = COALESCE(o.item_id, b.item_id)"
        " WHERE a.reader_id = :reader AND (:status IS NULL OR a.status = :status)"
        " AND (:order_id IS NULL OR o.id = :order_id) AND (:booking_id IS NULL OR b.id = :booking_id)"
        " ORDER BY a.written_at DESC, a.id DESC",
        {"reader": env.user_id, "status": status, "order_id": order_id, "booking_id": booking_id})
    return [dict(r) for r in rows]


def strike_off_can(env, *, order_can_id: int) -> dict:
    """Strikes one can off an order before the deadline and drops its van fee."""
    _room_must_be_open(env)
    can = env.one(
        "SELECT c.id, c.can_no, c.struck_off_at, o.id AS order_id, o.order_no, o.status, v.code, v.orders_close_at FROM order_cans c"
        " JOIN cold_store_orders o ON o.id = c.cold_store_order_id LEFT JOIN van_runs v ON v.id = o.run_id"
        " WHERE c.id = ? AND o.reader_id = ?", [order_can_id, env.user_id])
    if can is None:
        raise env.Error(f"you have no can {order_can_id} on an order")
    if can["struck_off_at"] is not None:
        raise env.Error(f"can {can['can_no']} is struck off {can['order_no']} already")
    if can["status"] not in ("awaiting consent", "on a run"):
        raise env.Error(f"your order {can['order_no']} is {can['status']}, nothing is struck off it any more")
    if can["status"] == "on a run" and env.now > can["orders_close_at"]:
        raise env.Error(f"the orders for {can['code']} closed on {can['orders_close_at'][:10]} at {can['orders_close_at'][11:16]}: the can comes and its fee is due")
    left = env.one(
        "SELECT COUNT(*) AS n FROM order_cans WHERE cold_store_order_id = ? AND struck_off_at IS NULL", [can["order_id"]])
    if left["n"] < 2:
        raise env.Error(f"it is the last can of {can['order_no']}: cancel the order instead")
    env.execute("UPDATE order_cans SET struck_off_at = ? WHERE id = ?", [env.now, order_can_id])
    env.execute("UPDATE account_lines SET status = 'dropped', note = 'struck off in time' WHERE order_can_id = ? AND status = 'owed'", [order_can_id])
    return {"cold_store_order": _order_rows(env, can["order_id"], None)[0], "account_lines": _account_rows(env, None, can["order_id"], None)}
