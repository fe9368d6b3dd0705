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
    building = _building(tools, "Rua da Beneficência 40")
    lift = _lift(tools, building, "Bloco B")
    accident = tools.report_accident(
        lift_id=lift["lift_id"], occurred_at="2026-06-09T08:40:00+01:00", severity="injury", injured_count=1,
        fault_details="The doors of the lift closed on a visitor's hand on the ground floor, and she was hurt.",
        phone="+351927518360",
    )
    inspection = tools.request_inspection(
        lift_id=lift["lift_id"], inspection_kind="extraordinary", fee_receipt_ref="DOC-000412",
        accident_id=accident["accident_id"], unwanted_dates=["2026-06-17", "2026-06-19"],
    )
    quotation = tools.request_quotation(
        lift_id=lift["lift_id"], work_kind="repair", fault_details="New door sensors",
        call_out_id=accident["call_out_id"],
    )
    return {
        "outcome": "done", "answers": {}, "reason": None,
        "message": f"The accident is reported and the lift is sealed; the extraordinary inspection was filed on"
                   f" {inspection['requested_on']}, and the quotation for new door sensors comes by"
                   f" {quotation['issue_due_date']}.",
    }
