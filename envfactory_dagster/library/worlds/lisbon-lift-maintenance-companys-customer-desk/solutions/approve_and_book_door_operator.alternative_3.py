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
    lift = _lift(tools, building, "Bloco A")
    quotation = next(
        q for q in _all(tools.list_quotations, "quotations", lift_id=lift["lift_id"], quotation_status="issued")
        if "door operator" in q["title"].lower() and q["total_cents"] == 118000
    )
    tools.approve_quotation(quotation_id=quotation["quotation_id"], total_cents=quotation["total_cents"])
    slots = tools.find_stop_slots(
        lift_id=lift["lift_id"], work_kind="repair", quotation_id=quotation["quotation_id"],
        date_start="2026-03-16", date_end="2026-03-20",
    )["slots"]
    slot = sorted(slots, key=lambda one: one["starts_at"])[-1]
    stop = tools.book_planned_stop(
        slot_id=slot["slot_id"], quotation_id=quotation["quotation_id"], site_contact_phone="+351934220118"
    )
    arranged = []
    if stop["alternative_required"]:
        for person in _all(tools.list_dependents, "dependents", stop_id=stop["stop_id"]):
            offers = tools.list_alternatives(stop_id=stop["stop_id"], dependent_id=person["dependent_id"])["alternatives"]
            best = min((one for one in offers if one["available"]), key=lambda one: one["total_cents"])
            extra = {"lift_id": best["lift_id"]} if best["lift_id"] else {}
            tools.arrange_alternative(
                stop_id=stop["stop_id"], dependent_id=person["dependent_id"],
                alternative_kind=best["alternative_kind"], **extra,
            )
            arranged.append(f"{person['dependent_name']}: {best['alternative_kind'].replace('_', ' ')}")
    return {
        "outcome": "done", "answers": {}, "reason": None,
        "message": f"The door operator is approved and booked for {stop['starts_at'][:16].replace('T', ' ')}."
                   f" Arranged: {'; '.join(arranged) or 'nothing needed'}.",
    }
