def solve(tools):
    hosted = 0
    for turn in tools.list_my_hosting_turns(status="carried_out")["hosting_turns"]:
        if turn["starts_at"][:10] >= "2026-01-01":
            hosted += 1
    short = 0
    for loan in tools.list_my_loans(status="returned")["loans"]:
        if loan["returned_short"] and loan["returned_at"][:10] >= "2026-01-01":
            short += 1
    paid_for = None
    amount = None
    host_day = None
    if hosted > short:
        charges = tools.list_my_replacement_charges(status="unpaid")["replacement_charges"]
        dearest = max(charges, key=lambda charge: charge["amount_cents"])
        paid = tools.pay_replacement_charge(replacement_charge_id=dearest["id"])["replacement_charge"]
        paid_for = paid["title_name"]
        amount = paid["amount_cents"]
        done = f"I paid your dearest open charge, {amount / 100:.2f} euros for {paid_for}."
    else:
        for evening in tools.search_club_evenings(first_day="2026-04-14", status="planned")["club_evenings"]:
            if tools.get_club_evening(club_evening_id=evening["id"])["host_name"] is None:
                turn = tools.sign_up_to_host(club_evening_id=evening["id"])["hosting_turn"]
                host_day = turn["starts_at"][:10]
                break
        done = f"I signed you up to host on {host_day}."
    return {
        "outcome": "done",
        "answers": {
            "evenings_hosted": hosted,
            "copies_returned_short": short,
            "charge_paid_for": paid_for,
            "amount_paid": amount,
            "evening_to_host": host_day,
        },
        "reason": None,
        "message": f"Since 1 January 2026 you hosted {hosted} evenings and brought back {short} copies with a piece missing. {done}",
    }
