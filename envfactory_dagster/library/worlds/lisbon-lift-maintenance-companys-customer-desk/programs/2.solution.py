def _all(call, key, **arguments):
    rows, cursor = [], None
    while True:
        more = {"page_cursor": cursor} if cursor else {}
        page = call(page_size=100, **arguments, **more)
        rows += page[key]
        cursor = page["next_page_cursor"]
        if not cursor:
            return rows


def solve(tools):
    open_lifts = []
    for building in _all(tools.list_buildings, "buildings"):
        if building["customer_role"] != "administrator":
            continue
        for lift in _all(tools.list_lifts, "lifts", building_id=building["building_id"]):
            if not "2026-06-09" <= lift["inspection_due_date"] <= "2026-12-31":
                continue
            filed = _all(tools.list_inspections, "inspections", lift_id=lift["lift_id"])
            if not any(one["requested_on"] >= "2026-01-01" for one in filed):
                open_lifts.append((lift["inspection_due_date"], building["address"], lift))
    open_lifts.sort(key=lambda one: one[0])
    due, address, first = open_lifts[0]
    made = tools.request_inspection(
        lift_id=first["lift_id"], inspection_kind="periodic", fee_receipt_ref="DOC-000418",
        unwanted_dates=[f"2026-07-{day}" for day in range(14, 18)],
    )
    others = [one[1] for one in open_lifts[1:]]
    time = "in time" if made["in_time"] else "too late for an assured appointment"
    rest = f"Also due this year and not filed: {', '.join(others)}." if others else "No other is left to file."
    return {
        "outcome": "done",
        "answers": {"address": address, "entrance": first["entrance"], "in_time": made["in_time"], "others": others},
        "reason": None,
        "message": f"The inspection of {first['entrance']} at {address} is filed, {time}. {rest}",
    }
