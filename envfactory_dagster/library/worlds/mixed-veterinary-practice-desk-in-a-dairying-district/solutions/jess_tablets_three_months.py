def solve(tools):
    jess = next(p for p in tools.search_patients(name="Jess")["patients"] if p["name"] == "Jess")
    tablets = next(p for p in tools.search_products(name="arthritis tablets")["products"])
    found = tools.search_medicine_authorities(patient_id=jess["id"], product_id=tablets["id"], status="active")["medicine_authorities"]
    consulted = found[0]["consulted_on"] if found else None
    try:
        arguments = {"product_id": tablets["id"], "quantity": 3, "pay_by": "account", "collect_from": "door_box", "patient_id": jess["id"]}
        if found:
            arguments["medicine_authority_id"] = found[0]["id"]
        tools.place_medicine_order(**arguments)
    except tools.Error:
        last = f" Jess's was on {consulted}." if consulted else ""
        return {
            "outcome": "refused",
            "answers": {},
            "reason": "authority_own_and_current",
            "message": "I can't order Jess's arthritis tablets: a prescription medicine needs an active authority resting on a vet consult "
                       f"held no more than 365 days before the order.{last}",
        }
    return {
        "outcome": "done",
        "answers": {},
        "reason": None,
        "message": "Three months of Jess's arthritis tablets are ordered for the box by the door.",
    }
