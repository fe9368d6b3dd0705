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
    players = _customer(tools, "Headingley Lamplight Players")
    hires = tools.list_hires(customer_id=players["id"], status="held", show_title="The Rivals")["hires"]
    hire = tools.get_hire(hire_id=[h for h in hires if h["collection_date"] == "2024-06-07"][0]["id"])
    lines = [l for l in hire["hire_lines"] if l["status"] == "active"]
    value = sum(tools.get_piece(piece_id=l["piece_id"])["replacement_value_cents"] for l in lines if l["is_class_p"] == 1)
    until = _add_working_days(tools, hire["due_date"], 5)
    good = [
        c
        for c in tools.list_insurance_certificates(hire_id=hire["id"])["insurance_certificates"]
        if c["ticked_off_at"] is not None and c["cover_cents"] >= value and c["valid_until"] >= until
    ]
    if not good:
        return {
            "outcome": "done",
            "answers": {"pay_now": None, "damage_deposit": None},
            "reason": None,
            "message": f"No ticked-off certificate covers £{value / 100:.2f} until {until}, so I did not confirm The Rivals.",
        }
    confirmed = tools.confirm_hire(hire_id=hire["id"])
    if any(l["kind"] == "weapon" for l in lines):
        collector = confirmed["confirmed_by_person_id"]
        who = "you collect yourself, since there is a weapon on the hire"
    else:
        people = tools.list_customer_people(customer_id=players["id"])["people"]
        collector = [p["person_id"] for p in people if p["full_name"] == "Geoff Holroyd"][0]
        who = "Geoff Holroyd is down as collector"
    tools.name_collector(hire_id=hire["id"], person_id=collector)
    pay = confirmed["invoice_total_cents"]
    deposit = confirmed["deposit_amount_cents"]
    return {
        "outcome": "done",
        "answers": {"pay_now": pay, "damage_deposit": deposit},
        "reason": None,
        "message": f"The certificate is in order and The Rivals is confirmed; {who}. You pay £{pay / 100:.2f} now, and the damage deposit is £{deposit / 100:.2f}.",
    }
