def solve(tools):
    households = tools.list_households()["households"]
    home = next(
        row for row in households if row["contact_name"] not in [client["name"] for client in row["clients"]]
    )
    account = tools.get_household_account(household_id=home["household_id"])
    loans = tools.list_loans(household_id=home["household_id"], status="on_loan")["loans"]
    fees = tools.list_fees(household_id=home["household_id"])["fees"]
    late = sorted((loan for loan in loans if loan["weeks_late"] > 0), key=lambda loan: -loan["weeks_late"])
    costs = [
        sum(
            fee["amount_cents"]
            for fee in fees
            if fee["loan_id"] == loan["loan_id"] and fee["kind"] == "late_week" and fee["status"] in ("open", "paid")
        )
        for loan in late
    ]
    parts = sum(fee["amount_cents"] for fee in fees if fee["kind"] == "lost_part" and fee["status"] == "open")
    left = account["debt_limit_cents"] - account["owed_cents"]
    lines = [
        f"{loan['client_name']}'s {loan['item_type_name']} {loan['tag']} is {loan['weeks_late']} weeks late (${cost / 100:.2f})"
        for loan, cost in zip(late, costs)
    ]
    return {
        "outcome": "done",
        "answers": {
            "late_items": [loan["tag"] for loan in late],
            "weeks_late": [loan["weeks_late"] for loan in late],
            "late_fees": costs,
            "lost_parts_owed": parts,
            "deposits_held": account["deposits_held_cents"],
            "left_to_limit": left,
        },
        "reason": None,
        "message": (
            f"{'; '.join(lines)}. ${parts / 100:.2f} is owed for lost parts, ${account['deposits_held_cents'] / 100:.2f} is"
            f" held in deposits, and you are ${left / 100:.2f} below the $75 that may be owed at most."
        ),
    }
