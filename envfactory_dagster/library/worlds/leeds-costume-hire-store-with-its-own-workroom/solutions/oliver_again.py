def _customer(tools, name):
    return [c for c in tools.list_my_customers()["customers"] if c["name"] == name][0]


def solve(tools):
    school = _customer(tools, "Beckside School")
    old = tools.list_hires(customer_id=school["id"], show_title="Oliver!", first_day="2019-01-01", last_day="2019-12-31")["hires"][0]
    lines = [l for l in tools.get_hire(hire_id=old["id"])["hire_lines"] if l["status"] == "active"]
    week = {"collection_date": "2025-03-03", "due_date": "2025-03-10"}
    old_pieces = [l["piece_id"] for l in lines if l["piece_id"] is not None]
    items = tools.check_availability(
        piece_ids=old_pieces,
        set_ids=[l["set_id"] for l in lines if l["set_id"] is not None],
        accessory_ids=[l["accessory_id"] for l in lines if l["accessory_id"] is not None],
        **week,
    )["items"]
    free = [i for i in items if i["is_available"]]
    missing = [i["description"] for i in items if not i["is_available"]]
    runners = tools.search_pieces(text="bow street runner coat", limit=50)["pieces"]
    others = [p["id"] for p in runners if p["id"] not in old_pieces]
    more = [i for i in tools.check_availability(piece_ids=others, **week)["items"] if i["is_available"]][:2]
    hire = tools.place_hold(
        customer_id=school["id"],
        show_title="Oliver!",
        piece_ids=[i["piece_id"] for i in free + more if i["piece_id"] is not None],
        set_ids=[i["set_id"] for i in free if i["set_id"] is not None],
        accessory_ids=[i["accessory_id"] for i in free if i["accessory_id"] is not None],
        **week,
    )
    return {
        "outcome": "done",
        "answers": {"missing": missing, "cost": hire["fee_cents"]},
        "reason": None,
        "message": f"Oliver! is on hold with {len(more)} more Bow Street runner coats until {hire['hold_lapses_at'][:10]}. Missing from the old list: {'; '.join(missing) or 'nothing'}. With the school discount it would cost £{hire['fee_cents'] / 100:.2f}.",
    }
