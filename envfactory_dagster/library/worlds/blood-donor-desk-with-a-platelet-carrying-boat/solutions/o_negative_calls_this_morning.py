def solve(tools):
    entries = tools.get_rare_list(list_code="o_neg", urgent=True)["result"]
    ximena = next(r["donor_id"] for r in entries if r["name"] == "Ximena Carvajal Leiva")
    hernan = next(r["donor_id"] for r in entries if r["name"] == "Hernán Tapia Bustos")
    coming = tools.log_rare_call(list_code="o_neg", donor_id=ximena, outcome="coming")
    refused = tools.log_rare_call(list_code="o_neg", donor_id=hernan, outcome="refused")
    tools.update_donor(donor_id=ximena, phone="+56 9 8126 5540")
    slots = tools.list_slots(site_code="casa_central", date="2026-08-05", kind="whole_blood")["result"]
    slot = min((x for x in slots if x["state"] == "free"), key=lambda x: x["starts_at"])
    tools.book_appointment(donor_id=ximena, slot_id=slot["slot_id"], kind="whole_blood")
    fare, day = coming["fare_ceiling_clp"], refused["next_call_from"]
    return {
        "outcome": "done",
        "answers": {"fare_up_to": fare, "hernan_from": day},
        "reason": None,
        "message": (
            f"Both calls are logged, Ximena's phone is changed and she is booked for tomorrow at "
            f"{slot['starts_at'][11:16]}. She gets up to {fare} pesos back; Hernán may be called again from {day}."
        ),
    }
