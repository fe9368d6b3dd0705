def solve(tools):
    book = None
    wardrobe = None
    for order in tools.list_material_orders(first_day="2025-03-03", last_day="2025-03-03")["material_orders"]:
        for line in order["lines"]:
            if line["name"] == "Book box" and line["mode"] == "bought" and line["quantity"] == 40:
                book = line["material_order_line_id"]
            if line["name"] == "Wardrobe box" and line["mode"] == "hired" and line["quantity"] == 3:
                wardrobe = line["material_order_line_id"]
    refund = tools.return_material(material_order_line_id=book, quantity=9, condition="unused")["refund_cents"]
    refund += tools.return_material(material_order_line_id=book, quantity=22, condition="used")["refund_cents"]
    hire = tools.return_material(material_order_line_id=wardrobe, quantity=3, condition="used")["hire_cents"]
    return {
        "outcome": "done",
        "answers": {"book_box_refund": refund, "wardrobe_hire": hire},
        "reason": None,
        "message": f"Everything is put down as returned: you get €{refund / 100:.2f} for the book boxes, and"
        f" €{hire / 100:.2f} of hire has run up on the wardrobe boxes.",
    }
