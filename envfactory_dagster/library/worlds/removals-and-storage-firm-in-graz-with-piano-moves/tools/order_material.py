def order_material(env, *, lines: list) -> dict:
    """Orders packing material for the user and takes it out of the stock."""
    if not lines:
        raise env.Error("An order needs at least one item.")
    wanted = {}
    named = set()
    prices = []
    for line in lines:
        material = env.one(
            "SELECT id, name, sale_price_cents, hire_per_week_cents, stock FROM packing_materials WHERE id = ?",
            [line["packing_material_id"]],
        )
        if material is None:
            raise env.Error(f"There is no packing material {line['packing_material_id']}.")
        if line["quantity"] < 1:
            raise env.Error(f"At least one piece of {material['name']} has to be ordered.")
        if (material["id"], line["mode"]) in named:
            raise env.Error(f"{material['name']} is named twice as {line['mode']}; put it into one item.")
        named.add((material["id"], line["mode"]))
        price = material["sale_price_cents"] if line["mode"] == "bought" else material["hire_per_week_cents"]
        if price is None:
            raise env.Error(f"{material['name']} cannot be {line['mode']}.")
        wanted[material["id"]] = wanted.get(material["id"], 0) + line["quantity"]
        if wanted[material["id"]] > material["stock"]:
            raise env.Error(f"There are only {material['stock']} pieces of {material['name']} in stock.")
        prices.append(price)
    code = env.new_id("MB-" + env.now[:4])
    order = env.insert(
        "INSERT INTO material_orders (code, customer_id, ordered_on, status) VALUES (:code, :user, :today, 'ordered')",
        {"code": code, "user": env.user_id, "today": env.now[:10]},
    )
    shown = []
    for line, price in zip(lines, prices):
        item = env.insert(
            """INSERT INTO material_order_lines (material_order_id, packing_material_id, mode, quantity, unit_price_cents)
               VALUES (:order, :material, :mode, :quantity, :price)""",
            {
                "order": order,
                "material": line["packing_material_id"],
                "mode": line["mode"],
                "quantity": line["quantity"],
                "price": price,
            },
        )
        shown.append(
            {
                "material_order_line_id": item,
                "packing_material_id": line["packing_material_id"],
                "mode": line["mode"],
                "quantity": line["quantity"],
                "unit_price_cents": price,
            }
        )
    for material, quantity in wanted.items():
        env.execute(
            "UPDATE packing_materials SET stock = stock - :quantity WHERE id = :material",
            {"quantity": quantity, "material": material},
        )
    return {"material_order_id": order, "code": code, "ordered_on": env.now[:10], "status": "ordered", "lines": shown}
