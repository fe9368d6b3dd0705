def _customer(tools, name):
    return [c for c in tools.list_my_customers()["customers"] if c["name"] == name][0]


def solve(tools):
    players = _customer(tools, "Headingley Lamplight Players")
    people = tools.list_customer_people(customer_id=players["id"], role="wearer")["people"]
    carol = [p for p in people if p["full_name"] == "Carol Whitmore"][0]["person_id"]
    hires = tools.list_hires(customer_id=players["id"], first_day="2024-05-10", last_day="2024-05-10")["hires"]
    for found in hires:
        hire = tools.get_hire(hire_id=found["id"])
        for line in hire["hire_lines"]:
            words = line["description"].lower()
            if line["status"] == "active" and line["wearer_name"] == "Jean Aspinall" and "crimson" in words and "bodice" in words:
                bodice = line
                hire_id = hire["id"]
    piece = tools.get_piece(piece_id=bodice["piece_id"])
    bust = [m for m in piece["measurements"] if m["measure"] == "bust"][0]
    reach = bust["largest_inches"] if piece["alterations_left"] != 0 else bust["current_inches"]
    if reach < 42:
        return {
            "outcome": "done",
            "answers": {"reach": reach},
            "reason": None,
            "message": f"The crimson bodice goes no further than {reach} inches, so I changed nothing.",
        }
    for fitting in tools.list_fittings(hire_id=hire_id, status="booked")["fittings"]:
        if fitting["hire_line_id"] == bodice["id"]:
            tools.cancel_fitting(fitting_id=fitting["id"])
    tools.set_line_wearer(hire_line_id=bodice["id"], person_id=carol)
    slots = tools.list_free_fitting_slots(day="2024-04-18")["slots"]
    slot = slots[2 % len(slots)]
    fitting = tools.book_fitting(hire_line_id=bodice["id"], starts_at=slot["starts_at"])
    return {
        "outcome": "done",
        "answers": {"reach": None},
        "reason": None,
        "message": f"The crimson bodice can be let out to 42. Carol Whitmore wears it now, Jean's fitting is cancelled and Carol's is booked for {fitting['starts_at'][11:16]} on Thursday 18 April.",
    }
