def _search_medicine_orders_row(env, medicine_order_id):
    return env.one("""
        SELECT o.id, o.code, o.product_id, d.name AS product_name, o.patient_id, o.authority_id, o.quantity, o.total_cents,
               o.pay_by, o.collect_from, o.status, o.ordered_at, o.returned_at
        FROM medicine_orders o JOIN products d ON d.id = o.product_id
        WHERE o.id = ? AND o.client_id = ?""", [medicine_order_id, env.user_id])


def _list_payments_row(env, payment_id):
    return env.one("""
        SELECT id, invoice_id, appointment_id, medicine_order_id, kind, amount_cents, paid_at
        FROM payments WHERE id = ? AND client_id = ?""", [payment_id, env.user_id])


def return_medicine_order(env, *, medicine_order_id: int) -> dict:
    """Take back a collected order of unrestricted goods for credit."""
    order = _search_medicine_orders_row(env, medicine_order_id)
    if order is None:
        raise env.Error(f"You have no order {medicine_order_id}.")
    if order["status"] != "collected":
        raise env.Error(f"Order {order['code']} is {order['status']}; only collected goods can come back.")
    product = env.one("SELECT id, name, is_prescription FROM products WHERE id = ?", [order["product_id"]])
    if product["is_prescription"]:
        raise env.Error(f"{product['name']} is a prescription medicine and cannot be returned.")
    if order["total_cents"] == 0:
        raise env.Error(f"Nothing was charged for order {order['code']}, so there is nothing to credit.")
    env.execute("UPDATE medicine_orders SET status = 'returned', returned_at = :now WHERE id = :id AND client_id = :client",
                {"now": env.now, "id": medicine_order_id, "client": env.user_id})
    payment = env.insert("INSERT INTO payments (client_id, invoice_id, appointment_id, medicine_order_id, kind, amount_cents, paid_at) VALUES (?, NULL, NULL, ?, 'return_credit', ?, ?)",
                         [env.user_id, medicine_order_id, order["total_cents"], env.now])
    return {"medicine_order": _search_medicine_orders_row(env, medicine_order_id), "payment": _list_payments_row(env, payment)}
