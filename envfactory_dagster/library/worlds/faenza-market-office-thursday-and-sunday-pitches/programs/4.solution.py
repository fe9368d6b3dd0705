import datetime


def solve(tools):
    today = datetime.date(2026, 6, 21)
    money = 16000
    for charge in tools.list_fee_charges(status="open", kind="spunta_day")["fee_charges"]:
        if charge["period_from"] < today.isoformat():
            money -= tools.pay_fee_charge(fee_charge_id=charge["id"], paid_by="card")["paid_cents"]
    fines = []
    for listed in tools.list_breach_reports(status="served")["breach_reports"]:
        report = tools.get_breach_report(breach_report_id=listed["id"])["breach_report"]
        served = datetime.date.fromisoformat(report["served_on"])
        last_early, last = served + datetime.timedelta(days=5), served + datetime.timedelta(days=60)
        if report["early_discount"] and today <= last_early:
            fines.append((last_early, report["reduced_cents"] * 70 // 100, last, report))
        elif today <= last:
            fines.append((last, report["reduced_cents"], last, report))
    fines.sort(key=lambda fine: fine[0])
    while fines and fines[0][1] <= money:
        fine = fines.pop(0)
        money -= tools.pay_breach_report(breach_report_id=fine[3]["id"])["breach_report"]["paid_cents"]
    still = sum(fine[3]["reduced_cents"] for fine in fines)
    until = min(fine[2] for fine in fines).isoformat() if fines else None
    return {
        "outcome": "done",
        "answers": {"money_left": money, "still_to_find": still if fines else None, "find_it_by": until},
        "reason": None,
        "message": f"{money / 100:.2f} euro are left; {still / 100:.2f} euro of fines are still to be paid, by {until}.",
    }
