def _customer(tools, name):
    return [c for c in tools.list_my_customers()["customers"] if c["name"] == name][0]


def solve(tools):
    school = _customer(tools, "Beckside School")
    hires = tools.list_hires(customer_id=school["id"], show_title="A Christmas Carol", status="confirmed")["hires"]
    hire = [h for h in hires if h["collection_date"] == "2024-12-09"][0]
    lines = [l for l in tools.get_hire(hire_id=hire["id"])["hire_lines"] if l["status"] == "active"]

    def find(words):
        for line in lines:
            if all(w in line["description"].lower() for w in words):
                return line
        return None

    set_lines = {l["id"]: tools.get_set(set_id=l["set_id"])["pieces"] for l in lines if l["set_id"] is not None}
    wanted = [("grey wool ghost's shroud", ("grey", "wool", "shroud")), ("carol singer's cape", ("carol singer", "cape"))]
    kept = 0
    days = None
    not_cancelled = []
    why = None
    for name, words in wanted:
        line = find(words)
        if line is None or line["id"] in set_lines:
            not_cancelled.append(name)
            why = "it belongs to a set and goes only with the whole set"
            continue
        quote = tools.quote_cancellation(hire_line_id=line["id"])
        days = quote["notice_working_days"]
        if quote["kept_cents"] * 100 > quote["fee_cents"] * 30 + 50:
            not_cancelled.append(name)
            why = why or "more than 30% of its fee would be kept"
            continue
        kept += tools.cancel_hire_line(hire_line_id=line["id"])["kept_cents"]
    return {
        "outcome": "done",
        "answers": {"notice_days": days, "kept": kept, "not_cancelled": not_cancelled, "why_not": why},
        "reason": None,
        "message": f"That is {days} working days of notice, and the store keeps £{kept / 100:.2f}. Not cancelled: {', '.join(not_cancelled) or 'nothing'}" + (f", because {why}." if why else "."),
    }
