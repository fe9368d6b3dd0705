def _all(call, key, **arguments):
    rows, cursor = [], None
    while True:
        more = {"page_cursor": cursor} if cursor else {}
        page = call(page_size=100, **arguments, **more)
        rows += page[key]
        cursor = page["next_page_cursor"]
        if not cursor:
            return rows


def _building(tools, address):
    return next(b for b in _all(tools.list_buildings, "buildings") if b["address"] == address)


def _lift(tools, building, entrance):
    lifts = _all(tools.list_lifts, "lifts", building_id=building["building_id"])
    return next(one for one in lifts if one["entrance"] == entrance)


def solve(tools):
    building = _building(tools, "Rua dos Lagares 14")
    lift = _lift(tools, building, "Bloco B")
    stop = next(
        one for one in _all(tools.list_planned_stops, "planned_stops", lift_id=lift["lift_id"], work_kind="repair",
                            date_start="2026-03-24", date_end="2026-03-24")
        if one["stop_status"] in ("awaiting_alternative", "confirmed")
    )
    found = tools.find_stop_slots(
        lift_id=lift["lift_id"], work_kind="repair", quotation_id=stop["quotation_id"],
        date_start="2026-03-12", date_end="2026-03-12",
    )
    refused = not found["slots"] and any(one["blocked_date"] == "2026-03-12" for one in found["blocked_dates"])
    for slot in found["slots"][:1]:
        try:
            tools.move_planned_stop(
                stop_id=stop["stop_id"], slot_id=slot["slot_id"],
                reason="The technicians come to Bloco A for the maintenance that day anyway.",
            )
        except tools.Error:
            refused = True
    if not refused:
        return {"outcome": "done", "answers": {}, "reason": None,
                "message": "The ropes of Bloco B are moved to Thursday 12 March."}
    return {
        "outcome": "refused", "answers": {}, "reason": "one_lift_a_day",
        "message": "The ropes of Bloco B cannot be moved to Thursday 12 March: the lift of Bloco A has its maintenance"
                   " that day, and two lifts of one building are never stopped on the same day for planned work; no"
                   " consent lifts that.",
    }
