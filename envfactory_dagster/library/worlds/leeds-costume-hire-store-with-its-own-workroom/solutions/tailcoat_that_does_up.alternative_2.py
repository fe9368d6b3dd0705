def _customer(tools, name):
    return [c for c in tools.list_my_customers()["customers"] if c["name"] == name][0]


def solve(tools):
    players = _customer(tools, "Headingley Lamplight Players")
    people = tools.list_customer_people(customer_id=players["id"], role="wearer")["people"]
    desmond = [p for p in people if p["full_name"] == "Desmond Pryce"][0]["person_id"]
    found = tools.search_pieces(text="black", garment="tailcoat", period="Victorian", measure="chest", inches=44, limit=50)["pieces"]
    items = tools.check_availability(
        collection_date="2024-06-03", due_date="2024-06-10", piece_ids=[p["id"] for p in found]
    )["items"]
    fits = []
    for item in items:
        if not item["is_available"]:
            continue
        piece = tools.get_piece(piece_id=item["piece_id"])
        chest = [m for m in piece["measurements"] if m["measure"] == "chest"][0]["current_inches"]
        left = piece["alterations_left"]
        for alteration in tools.list_piece_alterations(piece_id=piece["id"], status="planned")["alterations"]:
            if alteration["planned_for"] < "2024-06-03":
                left = None if left is None else left - 1
                if alteration["measure"] == "chest":
                    chest = alteration["to_inches"]
        if chest == 44 or left is None or left > 0:
            fits.append((max(0, 44 - chest), piece["number"], piece))
    piece = min(fits, key=lambda f: f[:2])[2]
    hire = tools.place_hold(
        customer_id=players["id"],
        show_title="Tailcoat for Desmond Pryce",
        collection_date="2024-06-03",
        due_date="2024-06-10",
        piece_ids=[piece["id"]],
    )
    line = hire["hire_lines"][0]
    tools.set_line_wearer(hire_line_id=line["id"], person_id=desmond)
    slots = []
    for day in ("2024-05-09", "2024-05-10"):
        slots += tools.list_free_fitting_slots(day=day)["slots"]
    fitting = tools.book_fitting(hire_line_id=line["id"], starts_at=slots[-1]["starts_at"])
    return {
        "outcome": "done",
        "answers": {},
        "reason": None,
        "message": f"Tailcoat {piece['number']} is on hold for Desmond Pryce until {hire['hold_lapses_at'][:10]}, and his fitting is on {fitting['starts_at'][:10]} at {fitting['starts_at'][11:16]}.",
    }
