def solve(tools):
    accounts = {}
    for household in tools.list_households()["households"]:
        for street in ("17 Wentworth Drive", "22 Larch Street"):
            if household["address"].startswith(street):
                accounts[street] = tools.get_household_account(household_id=household["household_id"])
    street = max(accounts, key=lambda name: accounts[name]["owed_cents"])
    owed = accounts[street]["owed_cents"]
    fees = tools.list_fees(household_id=accounts[street]["household_id"], status="open")["fees"]
    part = None
    count = None
    if street == "17 Wentworth Drive":
        part = max((fee for fee in fees if fee["kind"] == "lost_part"), key=lambda fee: fee["amount_cents"])["part_name"]
        more = f"The largest unpaid fee is for the lost {part}."
    else:
        count = len(fees)
        more = f"{count} fees are unpaid there."
    return {
        "outcome": "done",
        "answers": {"address": street, "owed": owed, "lost_part": part, "unpaid_fees": count},
        "reason": None,
        "message": f"{street} owes more, ${owed / 100:.2f}. {more}",
    }
