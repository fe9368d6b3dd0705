import datetime


def return_material(env, *, material_order_line_id: int, quantity: int, condition: str) -> dict:
    """Takes back pieces of an item the user bought or hired, with the refund or the hire for them."""
    line = env.one(
        """SELECT l.material_order_id, l.packing_material_id, l.mode, l.quantity, l.unit_price_cents,
                  o.code, o.status, o.ordered_on, m.name, m.unused_refund_percent, m.used_refund_percent,
                  (SELECT coalesce(sum(r.quantity), 0) FROM material_returns r
                   WHERE r.material_order_line_id = l.id) AS returned
           FROM material_order_lines l
           JOIN material_orders o ON o.id = l.material_order_id
           JOIN packing_materials m ON m.id = l.packing_material_id
           WHERE l.id = :line AND o.customer_id = :user""",
        {"line": material_order_line_id, "user": env.user_id},
    )
    if line is None:
        raise env.Error(f"None of your orders has an item {material_order_line_id}.")
    if line["status"] != "handed_out":
        raise env.Error(f"Order {line['code']} is {line['status']}; only what is handed out can come back.")
    if quantity < 1:
        raise env.Error("At least one piece has to come back.")
    out = line["quantity"] - line["returned"]
    if quantity > out:
        raise env.Error(f"Only {out} pieces of {line['name']} from order {line['code']} are still out.")
    today = env.now[:10]
    refund = 0
    hire = 0
    if line["mode"] == "bought":
        percent = line["unused_refund_percent"] if condition == "unused" else line["used_refund_percent"]
        refund = (quantity * line["unit_price_cents"] * percent + 50) // 100
    else:
        days = (datetime.date.fromisoformat(today) - datetime.date.fromisoformat(line["ordered_on"])).days
        weeks = max(1, (days + 6) // 7)
        hire = quantity * line["unit_price_cents"] * weeks
    back = env.insert(
        """INSERT INTO material_returns (material_order_line_id, returned_on, quantity, condition, refund_cents, hire_cents)
           VALUES (:line, :today, :quantity, :condition, :refund, :hire)""",
        {
            "line": material_order_line_id,
            "today": today,
            "quantity": quantity,
            "condition": condition,
            "refund": refund,
            "hire": hire,
        },
    )
    env.execute(
        "UPDATE packing_materials SET stock = stock + :quantity WHERE id = :material",
        {"quantity": quantity, "material": line["packing_material_id"]},
    )
    left = env.one(
        """SELECT (SELECT sum(l.quantity) FROM material_order_lines l WHERE l.material_order_id = :order)
                - (SELECT coalesce(sum(r.quantity), 0) FROM material_returns r
                   JOIN material_order_lines l ON l.id = r.material_order_line_id
                   WHERE l.material_order_id = :order) AS pieces""",
        {"order": line["material_order_id"]},
    )
    status = "handed_out"
    if left["pieces"] == 0:
        status = "closed"
        env.execute(
            "UPDATE material_orders SET status = 'closed' WHERE id = :order AND customer_id = :user",
            {"order": line["material_order_id"], "user": env.user_id},
        )
    return {
        "material_return_id": back,
        "material_order_line_id": material_order_line_id,
        "returned_on": today,
        "quantity": quantity,
        "condition": condition,
        "refund_cents": refund,
        "hire_cents": hire,
        "still_out": out - quantity,
        "order_status": status,
    }
