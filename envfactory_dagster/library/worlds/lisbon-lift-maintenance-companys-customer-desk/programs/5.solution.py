def solve(tools):
    building = next(
        b for b in tools.list_buildings(page_size=100)["buildings"] if b["address"] == "Rua de São Bento 120"
    )
    contract = tools.get_contract(building_id=building["building_id"])
    rows, cursor = [], None
    while True:
        more = {"page_cursor": cursor} if cursor else {}
        page = tools.list_call_outs(
            building_id=building["building_id"], call_out_status="closed", date_start="2026-01-01", page_size=100, **more
        )
        rows += page["call_outs"]
        cursor = page["next_page_cursor"]
        if not cursor:
            break
    call_outs = sum(tools.get_call_out(call_out_id=row["call_out_id"])["total_cents"] for row in rows)
    until = None
    if 3 * contract["monthly_cents"] + call_outs > 3 * 15000:
        notice = tools.give_contract_notice(
            contract_id=contract["contract_id"], notice_kind="change_kind", effective_date="2026-04-01",
            contract_kind="complete",
        )
        until = notice["withdraw_until"][:10]
        tail = f"The complete contract is asked for from 2026-04-01; you can take that back until {until}."
    else:
        tail = "The complete contract would not have been cheaper, so nothing is changed."
    return {
        "outcome": "done",
        "answers": {"changed": until is not None, "call_outs": call_outs, "take_back_until": until},
        "reason": None,
        "message": f"The call-outs have cost you {call_outs / 100:.2f} EUR since New Year. {tail}",
    }
