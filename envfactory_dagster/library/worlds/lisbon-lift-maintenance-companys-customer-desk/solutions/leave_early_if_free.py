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
    building = _building(tools, "Rua da Beneficência 40")
    calls = _all(tools.list_call_outs, "call_outs", building_id=building["building_id"],
                 date_start="2025-06-09", date_end="2026-06-09")
    late = 0
    for row in calls:
        if row["priority"] in ("p1", "p2") and row["call_out_status"] != "cancelled":
            call_out = tools.get_call_out(call_out_id=row["call_out_id"])
            late += call_out["arrived_at"] is not None and call_out["arrived_at"] > call_out["arrive_by"]
    contract = tools.get_contract(building_id=building["building_id"])
    common = {"contract_id": contract["contract_id"], "minutes_ref": "31/2026-05-28",
              "successor_name": "Elevadores do Oriente", "successor_emie": "EMIE-1042"}
    if late >= 3:
        notice = tools.give_contract_notice(notice_kind="end_early", effective_date="2026-07-31", **common)
    else:
        notice = tools.give_contract_notice(
            notice_kind="end_at_term", effective_date=contract["term_end"], **common
        )
    return {
        "outcome": "done", "answers": {}, "reason": None,
        "message": f"The technicians came too late to {late} urgent call-outs in the last twelve months, so notice is"
                   f" given for {notice['effective_date']}, at a charge of {notice['fee_cents'] / 100:.2f} EUR.",
    }
