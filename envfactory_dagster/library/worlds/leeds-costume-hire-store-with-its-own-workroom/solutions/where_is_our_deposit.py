from datetime import date, timedelta


def _customer(tools, name):
    return [c for c in tools.list_my_customers()["customers"] if c["name"] == name][0]


def _add_working_days(tools, day, count):
    last = date.fromisoformat(day) + timedelta(days=3 * count + 14)
    off = {h["day"] for h in tools.list_bank_holidays(first_day=day, last_day=last.isoformat())["bank_holidays"]}
    moving = date.fromisoformat(day)
    while count > 0:
        moving += timedelta(days=1)
        if moving.weekday() < 5 and moving.isoformat() not in off:
            count -= 1
    return moving.isoformat()


def solve(tools):
    school = _customer(tools, "Beckside School")
    hires = tools.list_hires(customer_id=school["id"], show_title="An Inspector Calls")["hires"]
    for found in hires:
        shown = tools.get_hire(hire_id=found["id"])
        if (shown["returned_at"] or "").startswith("2024-11-04"):
            hire = shown
    deposit = tools.get_deposit(hire_id=hire["id"])
    charges = deposit["deposit_charges"]
    charged = sum(c["amount_cents"] for c in charges)
    back = deposit["amount_cents"] - sum(c["amount_cents"] for c in charges if c["agreed_at"] is not None)
    inspected = hire["inspected_at"] is not None
    release_by = _add_working_days(tools, hire["inspected_at"][:10], 5) if inspected else None
    reasons = "; ".join(f"{c['reason']} £{c['amount_cents'] / 100:.2f}" for c in charges) or "nothing"
    return {
        "outcome": "done",
        "answers": {
            "deposit": deposit["amount_cents"],
            "inspected": inspected,
            "charged": charged,
            "paid_back": back,
            "release_by": release_by,
        },
        "reason": None,
        "message": f"You left £{deposit['amount_cents'] / 100:.2f}; the inspection {'was on ' + hire['inspected_at'][:10] if inspected else 'is still to come'}. Charged against it: {reasons}. You get back £{back / 100:.2f}" + (f", by {release_by}." if release_by else "."),
    }
