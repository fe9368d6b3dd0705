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


def solve(tools):
    building = _building(tools, "Travessa do Olival 6")
    quotations = _all(tools.list_quotations, "quotations", building_id=building["building_id"],
                      quotation_status="issued")
    quotation = next(q for q in quotations if "lighting" in q["title"].lower() and q["total_cents"] == 64000)
    try:
        tools.approve_quotation(quotation_id=quotation["quotation_id"], total_cents=quotation["total_cents"])
    except tools.Error:
        return {
            "outcome": "refused", "answers": {}, "reason": "quotation_approval_limits",
            "message": "The lighting for 640.00 EUR cannot be approved by you: a committee member approves up to"
                       " 500.00 EUR with IVA, so the administrator has to do it.",
        }
    return {"outcome": "done", "answers": {}, "reason": None, "message": "The new lighting in the car is approved."}
