def solve(tools):
    entries = tools.list_time_entries(
        source_type="ship_list", first_day="2026-02-01", last_day="2026-02-28"
    )["time_entries"]
    hours = {}
    for entry in entries:
        hours[entry["commission_id"]] = hours.get(entry["commission_id"], 0) + entry["hours"]
    total = sum(hours.values())
    if not hours:
        return {
            "outcome": "done",
            "answers": {"ship_list_hours": 0, "search_with_most": None, "budget_left": None},
            "reason": None,
            "message": "No hours were spent on ship lists in February 2026 in any of your searches.",
        }
    most = max(hours, key=hours.get)
    search = tools.get_commission(commission_id=most)
    return {
        "outcome": "done",
        "answers": {
            "ship_list_hours": total,
            "search_with_most": search["surname"],
            "budget_left": search["remaining_hours"],
        },
        "reason": None,
        "message": f"In February 2026 {total:g} hours were spent on ship lists over all your searches; most of them, "
                   f"{hours[most]:g}, went into the {search['surname']} search in {search['region']}, which has "
                   f"{search['remaining_hours']:g} hours of its budget left.",
    }
