def _search_medicine_orders_row(env, medicine_order_id):
    return env.one("""
        SELECT o.id, o.code, o.product_id, d.name AS product_name, o.patient_id, o.authority_id, o.quantity, o.total_cents,
               o.pay_by, o.collect_from, o.status, o.ordered_at, o.returned_at
        FROM medicine_orders o JOIN products d ON d.id = o.product_id
        WHERE o.id = ? AND o.client_id = ?""", [medicine_order_id, env.user_id])


def cancel_medicine_order(env, *, medicine_order_id: int) -> dict:
    """Cancel an order that is not yet collected."""
    order = _search_medicine_orders_row(env, medicine_order_id)
    if order is None:
        raise env.Error(f"You have no order {medicine_order_id}.")
    if order["status"] != "placed":
        raise env.Error(f"Order {order['code']} is {order['status']} and cannot be cancelled.")
    env.execute("UPDATE medicine_orders SET status = 'cancelled' WHERE id = ? AND client_id = ?", [medicine_order_id, env.user_id])
    return {"medicine_order": _search_medicine_orders_row(env, medicine_order_id)}
