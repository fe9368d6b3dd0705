def solve(tools):
    prescription = {p["id"] for p in tools.search_products(is_prescription=1)["products"]}
    kept = tools.search_medicine_orders(status="collected", first_day="2025-07-01")["medicine_orders"]
    medicines = sum(o["total_cents"] for o in kept if o["product_id"] in prescription)
    goods = sum(o["total_cents"] for o in kept if o["product_id"] not in prescription)
    if medicines > goods:
        trimmed = "The meloxicam"
        for order in tools.search_medicine_orders(status="placed")["medicine_orders"]:
            if "meloxicam" in order["product_name"].lower():
                tools.cancel_medicine_order(medicine_order_id=order["id"])
    else:
        trimmed = "The drench"
        for order in kept:
            if "drench" in order["product_name"].lower() and order["ordered_at"][:10] == "2025-08-27":
                tools.return_medicine_order(medicine_order_id=order["id"])
    return {
        "outcome": "done",
        "answers": {"medicines": medicines, "other_goods": goods, "trimmed": trimmed},
        "reason": None,
        "message": f"Since 1 July you have collected prescription medicines for ${medicines / 100:.2f} and other goods for ${goods / 100:.2f}; {trimmed.lower()} is dealt with as you asked.",
    }
