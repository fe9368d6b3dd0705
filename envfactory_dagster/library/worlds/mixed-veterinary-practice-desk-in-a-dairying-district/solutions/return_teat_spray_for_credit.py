def solve(tools):
    order = next(
        o for o in tools.search_medicine_orders(status="collected")["medicine_orders"]
        if "teat spray" in o["product_name"].lower() and o["quantity"] == 6 and o["total_cents"] == 41200
    )
    credit = tools.return_medicine_order(medicine_order_id=order["id"])["payment"]
    invoice = next(i for i in tools.search_invoices(practice="own", status="open")["invoices"] if i["issued_on"][5:7] == "09")
    invoice = tools.apply_credit(payment_id=credit["id"], invoice_id=invoice["id"])["invoice"]
    return {
        "outcome": "done",
        "answers": {"still_owing": invoice["owing_cents"], "due_on": invoice["due_on"]},
        "reason": None,
        "message": f"The six drums are back and $412.00 is off your September invoice; ${invoice['owing_cents'] / 100:.2f} is still owing, due by {invoice['due_on']}.",
    }
