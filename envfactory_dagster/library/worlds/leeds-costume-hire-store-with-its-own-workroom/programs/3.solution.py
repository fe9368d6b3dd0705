def solve(tools):
    players = [c for c in tools.list_my_customers()["customers"] if c["name"] == "Headingley Lamplight Players"][0]
    wearers = tools.list_customer_people(customer_id=players["id"], role="wearer")["people"]
    sheila = [p["person_id"] for p in wearers if p["full_name"] == "Sheila Marsden"][0]
    pieces = 0
    fittings = 0
    value = 0
    for status in ("held", "confirmed"):
        for hire in tools.list_hires(customer_id=players["id"], status=status)["hires"]:
            if hire["show_title"] == "Hay Fever":
                continue
            lines = tools.get_hire(hire_id=hire["id"])["hire_lines"]
            lines = [l for l in lines if l["status"] == "active" and l["wearer_name"] == "Desmond Pryce"]
            if not lines:
                continue
            booked = tools.list_fittings(hire_id=hire["id"], status="booked")["fittings"]
            for line in lines:
                for fitting in booked:
                    if fitting["hire_line_id"] == line["id"]:
                        tools.cancel_fitting(fitting_id=fitting["id"])
                        fittings += 1
                tools.set_line_wearer(hire_line_id=line["id"], person_id=sheila)
                value += tools.get_piece(piece_id=line["piece_id"])["replacement_value_cents"]
                pieces += 1
    return {
        "outcome": "done",
        "answers": {"pieces_taken_over": pieces, "fittings_cancelled": fittings, "replacement_value": value},
        "reason": None,
        "message": f"Sheila Marsden is now down for {pieces} pieces worth {value / 100:.2f} pounds together, and {fittings} of Desmond's fittings was taken out of the diary.",
    }
