import datetime


def solve(tools):
    today = datetime.date(2026, 6, 21)
    reports = tools.list_breach_reports()["breach_reports"]
    report = next(r for r in reports if r["held_on"] == "2026-06-14" and r["served_on"] == "2026-06-18")
    served = datetime.date.fromisoformat(report["served_on"])
    early, defence, reduced = (served + datetime.timedelta(days=n) for n in (5, 30, 60))
    full = report["reduced_cents"]
    lower = (full * 70 + 50) // 100 if report["early_discount"] else full
    spent = sum(r["paid_cents"] for r in reports if r["paid_on"] is not None and r["paid_on"] >= "2026-05-01")
    for charge in tools.list_fee_charges(kind="spunta_day", status="paid", first_due_day="2026-05-01")["fee_charges"]:
        if datetime.date.fromisoformat(charge["period_from"]).weekday() == 6:
            spent += charge["pitch_cents"] + charge["electricity_cents"] + charge["surcharge_cents"]
    now = lower if today <= early else full
    return {
        "outcome": "done",
        "answers": {
            "to_pay_today": now, "to_pay_after": full, "last_day_lower_sum": early.isoformat(),
            "last_day_reduced_sum": reduced.isoformat(), "last_day_defence": defence.isoformat(), "spent_since_may": spent,
        },
        "reason": None,
        "message": f"Today you would pay {now / 100:.2f} euro, until {early} at the latest, then {full / 100:.2f} until {reduced}; a defence can go off until {defence}. "
        f"Fines and Sunday pitches have cost you {spent / 100:.2f} euro since 1 May.",
    }
