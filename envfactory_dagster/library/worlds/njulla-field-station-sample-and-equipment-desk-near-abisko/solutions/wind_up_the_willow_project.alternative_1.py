def solve(tools):
    today = tools.get_desk_today()["now"][:10]
    ewa = next(one for one in tools.search_projects(query="willow")["projects"] if one["leader_name"] == "Ewa Nowak")
    rack = next(one for one in tools.get_project(project_id=ewa["id"])["racks"] if one["store_place_code"] == "A6")
    samples = tools.search_samples(store_place_id=rack["store_place_id"])["samples"]
    leaves = next(one for one in samples if "lea" in one["material"].lower() and one["vials_left"] == 6)
    roots = next(one for one in samples if "root" in one["material"].lower() and one["vials_left"] == 11)
    tools.record_departure(sample_id=leaves["id"], vials=6, reason="used_up", left_on="2026-01-30")
    tools.record_departure(sample_id=roots["id"], vials=11, reason="discarded", left_on=today)
    tools.give_back_rack(booking_id=rack["booking_id"])
    bill = tools.get_bill(project_id=ewa["id"])
    out = tools.search_bookings(project_id=ewa["id"], status="out")["bookings"]
    names = [one["equipment_name"] or one["store_place_code"] for one in out]
    still = f"Still out: {', '.join(names)}." if names else "Nothing else of hers is out."
    return {
        "outcome": "done",
        "answers": {"final_bill": bill["total_cents"], "anything_else_out": bool(out)},
        "reason": None,
        "message": f"The leaf and root vials are entered, A6 is given back, and her bill comes to {bill['total_cents'] / 100:.0f} kr up to today, late days included. {still}",
    }
