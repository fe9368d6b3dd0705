def solve(tools):
    school = [c for c in tools.list_my_customers()["customers"] if c["name"] == "Beckside School"][0]

    def find(title, status):
        return [h for h in tools.list_hires(customer_id=school["id"], show_title=title, status=status)["hires"] if h["show_title"] == title][0]

    cinderella = find("Cinderella", "inspected")
    deposit = tools.get_deposit(hire_id=cinderella["id"])
    charges = deposit["deposit_charges"]
    left = deposit["amount_cents"] - sum(c["amount_cents"] for c in charges)
    invoices = tools.list_invoices(hire_id=cinderella["id"], status="open")["invoices"]
    owed = sum(i["total_cents"] for i in invoices if i["kind"] != "credit")
    first_payment = None
    nativity_deposit = None
    message = f"Of the Cinderella deposit {left / 100:.2f} pounds are left and {owed / 100:.2f} pounds are open on its invoices."
    if left > owed:
        for charge in charges:
            if charge["agreed_at"] is None:
                tools.agree_damage_charge(deposit_charge_id=charge["id"])
        tools.release_deposit(hire_id=cinderella["id"])
        nativity = find("The Beckside Nativity", "held")
        first_payment = (nativity["fee_cents"] * 30 + 50) // 100
        message += f" The deposit is released. 30% of the fee for the Nativity are {first_payment / 100:.2f} pounds"
        if left >= first_payment:
            nativity_deposit = tools.confirm_hire(hire_id=nativity["id"])["deposit_amount_cents"]
            message += f", so I confirmed it; its deposit is {nativity_deposit / 100:.2f} pounds."
        else:
            tools.cancel_hire(hire_id=nativity["id"])
            message += ", which the rest does not cover, so I cancelled the hold."
    else:
        message += " So I left everything as it is."
    return {
        "outcome": "done",
        "answers": {
            "left_of_deposit": left,
            "open_on_invoices": owed,
            "nativity_first_payment": first_payment,
            "nativity_deposit": nativity_deposit,
        },
        "reason": None,
        "message": message,
    }
