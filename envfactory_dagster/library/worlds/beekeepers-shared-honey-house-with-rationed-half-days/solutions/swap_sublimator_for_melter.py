def solve(tools):
    loans = tools.list_loans()["loans"]
    old = next(l for l in loans if l["kind"] == "sublimator" and l["status"] in ("out", "late"))
    melters = tools.list_equipment(kind="melter", available_only=True)["equipment_items"]
    melter = sorted(melters, key=lambda e: e["tag"])[0]
    back = tools.returnEquipment(loanId=old["loan_no"], condition="clean")
    credit = back["deposit_cents"] - back["kept_cents"]
    loan = tools.lend_equipment(tag=melter["tag"], due_on="2025-08-26")
    deposit = loan["deposit_cents"]
    return {
        "outcome": "done",
        "answers": {"deposit_back": credit, "melter_deposit": deposit},
        "reason": None,
        "message": (
            f"The sublimator is back and you get {credit / 100:.2f} EUR of its deposit; the {melter['name']} is yours "
            f"until 26 August for a deposit of {deposit / 100:.2f} EUR."
        ),
    }
