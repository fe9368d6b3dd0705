def solve(tools):
    wheelchair = next(
        row
        for row in tools.list_donations()["donations"]
        if row["item_type_name"] == "wheelchair" and row["offered_on"].startswith("2026-09")
    )
    decision = {"offered": "not decided yet"}.get(wheelchair["status"], wheelchair["status"])
    message = f"The wheelchair was {decision}: {wheelchair['decision_reason']}."
    if wheelchair["status"] == "offered":
        message = "Nothing has been decided about the wheelchair yet."
    if wheelchair["status"] == "refused":
        mattress = next(row for row in tools.list_item_types()["item_types"] if row["name"] == "pressure mattress")
        tools.offer_donation(
            item_type_id=mattress["item_type_id"],
            description="pressure mattress, still sealed in its plastic",
            sealed=1,
            value_cents=64000,
            valued_by="receipt",
        )
        message += " The pressure mattress is offered instead."
    return {
        "outcome": "done",
        "answers": {"decision": decision, "decision_reason": wheelchair["decision_reason"]},
        "reason": None,
        "message": message,
    }
