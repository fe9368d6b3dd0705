def returnEquipment(env, *, loanId: str, condition: str) -> dict:
    """Takes back an item the user has borrowed and credits the deposit."""
    l = env.one(
        "SELECT id, status, deposit_cents FROM loans WHERE loan_no = ? AND member_id = ?",
        [loanId, env.user_id],
    )
    if l is None:
        raise env.Error("you have no loan " + loanId)
    if l["status"] == "returned":
        raise env.Error("the loan " + loanId + " is already returned")
    if l["status"] == "held_in_zone":
        raise env.Error("the item of " + loanId + " is held in a zone and cannot come back yet")
    if condition == "clean":
        kept = 0
    elif condition == "unwashed":
        kept = min(1000, l["deposit_cents"])
    else:
        kept = l["deposit_cents"]
    env.execute(
        "UPDATE loans SET status = 'returned', returned_on = ?, condition = ?, kept_cents = ? WHERE id = ?",
        [env.now[:10], condition, kept, l["id"]],
    )
    credit = l["deposit_cents"] - kept
    if credit > 0:
        env.insert(
            "INSERT INTO ledger_entries (member_id, kind, amount_cents, loan_id, entered_at) VALUES (?, 'deposit', ?, ?, ?)",
            [env.user_id, credit, l["id"], env.now],
        )
    row = env.one(
        """SELECT l.loan_no, e.tag, 'deposit' AS kind, e.name, l.lent_on, l.due_on, l.deposit_cents, l.status, l.returned_on,
                  l.condition, l.kept_cents
           FROM loans l JOIN equipment_items e ON e.id = l.equipment_item_id
           WHERE l.id = ?""",
        [l["id"]],
    )
    return dict(row)
