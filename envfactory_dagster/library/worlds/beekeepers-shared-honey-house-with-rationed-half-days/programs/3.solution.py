def solve(tools):
    late = tools.list_loans(status="late")["loans"]
    out = tools.list_loans(status="out")["loans"]
    credited = 0
    kept = 0
    items = 0
    for loans, condition in ((late, "unwashed"), (out, "clean")):
        for loan in loans:
            back = tools.returnEquipment(loanId=loan["loan_no"], condition=condition)
            items += 1
            kept += back["kept_cents"]
            credited += back["deposit_cents"] - back["kept_cents"]
    balance = tools.get_own_membership()["balance_cents"]
    return {
        "outcome": "done",
        "answers": {"items": items, "credited": credited, "kept": kept, "balance": balance},
        "reason": None,
        "message": (
            f"{items} items are back; {credited / 100:.2f} EUR of the deposits are credited, "
            f"{kept / 100:.2f} EUR are kept, and your balance is {balance / 100:.2f} EUR."
        ),
    }
