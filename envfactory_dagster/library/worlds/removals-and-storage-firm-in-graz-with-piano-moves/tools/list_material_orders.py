def list_material_orders(env, *, status: str = None, first_day: str = None, last_day: str = None) -> dict:
    """Lists the user's material orders that meet every filter, newest first, with their items."""
    orders = env.query(
        """SELECT id AS material_order_id, code, ordered_on, status
           FROM material_orders
           WHERE customer_id = :user
             AND (:status IS NULL OR status = :status)
             AND (:first_day IS NULL OR ordered_on >= :first_day)
             AND (:last_day IS NULL OR ordered_on <= :last_day)
           ORDER BY ordered_on DESC, id DESC""",
        {"user": env.user_id, "status": status, "first_day": first_day, "last_day": last_day},
    )
    for order in orders:
        order["lines"] = env.query(
            """SELECT l.id AS material_order_line_id, l.packing_material_id, m.name, l.mode, l.quantity, l.unit_price_cents,
                      (SELECT coalesce(sum(r.quantity), 0) FROM material_returns r
                       WHERE r.material_order_line_id = l.id) AS returned
               FROM material_order_lines l JOIN packing_materials m ON m.id = l.packing_material_id
               WHERE l.material_order_id = ? ORDER BY l.id""",
            [order["material_order_id"]],
        )
    return {"material_orders": orders}
