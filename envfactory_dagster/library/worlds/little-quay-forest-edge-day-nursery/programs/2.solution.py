def solve(tools):
    theo = next(c for c in tools.list_my_children()["children"] if c["name"] == "Theo")
    outings = tools.search_woodland_outings(
        status="open", first_day="2026-10-19", last_day="2026-10-29"
    )["woodland_outings"]
    best = None
    for outing in outings:
        seen = tools.get_woodland_outing(woodland_outing_id=outing["id"])
        load = seen["taken_places"] / seen["staff_count"]
        if best is None or load < best[0]:
            best = (load, seen)
    chosen = best[1]
    tools.take_outing_place(woodland_outing_id=chosen["id"], child_id=theo["id"])
    day = chosen["leaves_at"][:10]
    going = chosen["taken_places"] + 1
    return {
        "outcome": "done",
        "answers": {"outing_day": day, "children_going": going},
        "reason": None,
        "message": f"Theo has a place on the outing on {day}, which had the fewest children for each member of staff. With him, {going} children will be going.",
    }
