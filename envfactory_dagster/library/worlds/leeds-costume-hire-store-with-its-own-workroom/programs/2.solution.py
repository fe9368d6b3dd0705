def solve(tools):
    school = [c for c in tools.list_my_customers()["customers"] if c["name"] == "Beckside School"][0]
    coats = tools.search_pieces(text="bow street runner", garment="coat", measure="chest", inches=39, limit=50)["pieces"]
    items = tools.check_availability(
        collection_date="2025-02-03", due_date="2025-02-10", piece_ids=[c["id"] for c in coats]
    )["items"]
    free = [i["piece_id"] for i in items if i["is_available"]]
    looked = [tools.get_piece(piece_id=piece_id) for piece_id in free]
    best = min(looked, key=lambda p: p["replacement_value_cents"])
    hire = tools.place_hold(
        customer_id=school["id"],
        show_title="Dickens Evening",
        collection_date="2025-02-03",
        due_date="2025-02-10",
        piece_ids=[best["id"]],
    )
    return {
        "outcome": "done",
        "answers": {
            "coats_that_would_do": len(looked),
            "coat_number": best["number"],
            "replacement_value": best["replacement_value_cents"],
            "fee": hire["fee_cents"],
        },
        "reason": None,
        "message": f"{len(looked)} coats would do; I have put number {best['number']} on hold for the Dickens Evening. It would cost {best['replacement_value_cents'] / 100:.2f} pounds to replace, and the hire costs {hire['fee_cents'] / 100:.2f} pounds.",
    }
