import datetime


def solve(tools):
    today = datetime.date(2026, 4, 10)
    total = 0
    last_days = []
    for charge in tools.list_fee_charges(status="open")["fee_charges"]:
        total += tools.pay_fee_charge(fee_charge_id=charge["id"], paid_by="bank_transfer")["paid_cents"]
    for report in tools.list_breach_reports(status="served")["breach_reports"]:
        last_day = datetime.date.fromisoformat(report["served_on"]) + datetime.timedelta(days=30)
        if last_day < today:
            total += tools.pay_breach_report(breach_report_id=report["id"])["breach_report"]["paid_cents"]
        else:
            last_days.append(last_day.isoformat())
    return {
        "outcome": "done",
        "answers": {"paid_in_all": total, "last_day_for_defence": min(last_days) if last_days else None},
        "reason": None,
        "message": f"{total / 100:.2f} euro have been paid; a defence against what is left must go off by {min(last_days) if last_days else 'no day'}.",
    }
