def solve(tools):
    me = tools.get_my_details()
    denis = next(h for h in me["helpers"] if h["name"] == "Denis Gordini" and h["status"] == "on_papers")
    thursday = next(c for c in tools.search_concessions(trader_id=me["trader"]["id"], weekday="thursday", status="active")["concessions"])
    bill = next(
        f for f in tools.list_fee_charges(kind="quarter", status="open", concession_id=thursday["id"])["fee_charges"]
        if f["period_from"] == "2026-01-01"
    )
    thursdays = {m["id"] for m in tools.list_market_days(first_day="2026-01-01", last_day="2026-04-10", weekday="thursday")["market_days"]}
    fines = 0
    for report in tools.list_breach_reports()["breach_reports"]:
        if report["market_day_id"] in thursdays:
            if report["status"] == "paid":
                fines += report["paid_cents"]
            elif report["status"] == "served":
                fines += report["reduced_cents"]
    goes = fines > bill["pitch_cents"] + bill["electricity_cents"]
    if goes:
        tools.remove_helper(helper_id=denis["id"])
    tools.pay_fee_charge(fee_charge_id=bill["id"], paid_by="bank_transfer")
    return {
        "outcome": "done",
        "answers": {"thursday_fines": fines, "denis_taken_off": goes},
        "reason": None,
        "message": f"The Thursday fines come to {fines / 100:.2f} euro; Denis {'is off' if goes else 'stays on'} the papers and the Thursday bill is paid.",
    }
