def solve(tools):
    names = ["Maisie", "Jess", "Poppy"]
    pets = {p["name"]: p["id"] for p in tools.search_patients()["patients"] if p["name"] in names}
    totals = {name: 0 for name in names}
    for row in tools.search_invoices(first_day="2025-01-01")["invoices"]:
        for line in tools.get_invoice(invoice_id=row["id"])["invoice"]["lines"]:
            for name in names:
                if line["patient_id"] == pets[name]:
                    totals[name] += line["amount_cents"]
    dearest = max(names, key=lambda n: totals[n])
    cheapest = min(names, key=lambda n: totals[n])
    tools.send_records_to_owner(patient_id=pets[dearest], scope="both")
    product = [p for p in tools.search_products(name="joint supplement")["products"] if p["unit"] == "tub"][0]
    left = 40000 - totals[cheapest]
    tubs = max(left, 0) // product["price_cents"]
    spent = 0
    if tubs > 0:
        order = tools.place_medicine_order(product_id=product["id"], quantity=tubs, pay_by="account", collect_from="door_box", patient_id=pets[cheapest])
        spent = order["medicine_order"]["total_cents"]
    return {
        "outcome": "done",
        "answers": {
            "maisie_billed": totals["Maisie"],
            "jess_billed": totals["Jess"],
            "poppy_billed": totals["Poppy"],
            "tubs_ordered": tubs,
            "left_of_400": left - spent,
        },
        "reason": None,
        "message": f"Billed this year: Maisie ${totals['Maisie'] / 100:.2f}, Jess ${totals['Jess'] / 100:.2f}, Poppy ${totals['Poppy'] / 100:.2f}. "
                   f"{dearest}'s full records are on their way to you, {tubs} tubs are ordered for {cheapest}, and ${(left - spent) / 100:.2f} of the $400 is left.",
    }
