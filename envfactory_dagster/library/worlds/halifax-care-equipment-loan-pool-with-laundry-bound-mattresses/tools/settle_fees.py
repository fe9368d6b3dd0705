def _get_household_account_owed(env, household_id):
    row = env.one(
        """SELECT COALESCE(SUM(f.amount_cents), 0) AS owed FROM fees f JOIN loans l ON l.id = f.loan_id
           JOIN household_members m ON m.client_id = l.client_id
           WHERE m.household_id = ? AND f.status = 'open'""",
        [household_id],
    )
    return row["owed"]


def _list_fees_rows(env, fee_id=None, household_id=None, loan_id=None, kind=None, status=None):
    return env.query(
        """SELECT f.id AS fee_id, m.household_id, f.loan_id, c.name AS client_name, i.tag, t.name AS item_type_name,
                  f.kind, f.late_week, f.item_part_id, p.name AS part_name, f.amount_cents, f.charged_on, f.status,
                  f.payment_id, f.settled_at
           FROM fees f JOIN loans l ON l.id = f.loan_id JOIN clients c ON c.id = l.client_id
           JOIN items i ON i.id = l.item_id JOIN item_types t ON t.id = i.item_type_id
           LEFT JOIN item_parts p ON p.id = f.item_part_id
           JOIN household_members m ON m.client_id = l.client_id JOIN households h ON h.id = m.household_id
           WHERE (h.contact_client_id = :user OR EXISTS (
                   SELECT 1 FROM household_members u WHERE u.household_id = h.id AND u.client_id = :user))
             AND (:fee IS NULL OR f.id = :fee) AND (:household IS NULL OR m.household_id = :household)
             AND (:loan IS NULL OR f.loan_id = :loan) AND (:kind IS NULL OR f.kind = :kind)
             AND (:status IS NULL OR f.status = :status)
           ORDER BY f.charged_on, f.id""",
        {"user": env.user_id, "fee": fee_id, "household": household_id, "loan": loan_id, "kind": kind, "status": status},
    )


def settle_fees(env, *, payment_id: int, fee_ids: list) -> dict:
    """Settles open fees with a payment that the person has sent."""
    payment = env.one(
        """SELECT p.id, p.household_id, p.amount_cents FROM payments p JOIN households h ON h.id = p.household_id
           WHERE p.id = :payment AND (h.contact_client_id = :user OR EXISTS (
             SELECT 1 FROM household_members u WHERE u.household_id = h.id AND u.client_id = :user))""",
        {"payment": payment_id, "user": env.user_id},
    )
    if payment is None:
        raise env.Error(f"there is no payment {payment_id} for your households; it has to be sent first")
    if env.one("SELECT id FROM fees WHERE payment_id = ? LIMIT 1", [payment_id]):
        raise env.Error(f"payment {payment_id} has already settled fees")
    if not fee_ids:
        raise env.Error("name at least one fee")
    if len(set(fee_ids)) != len(fee_ids):
        raise env.Error("a fee is named twice")
    total = 0
    for fee_id in fee_ids:
        rows = _list_fees_rows(env, fee_id=fee_id)
        if not rows:
            raise env.Error(f"you have no fee {fee_id}")
        if rows[0]["status"] != "open":
            raise env.Error(f"fee {fee_id} is not open, it is {rows[0]['status']}")
        if rows[0]["household_id"] != payment["household_id"]:
            raise env.Error(f"fee {fee_id} belongs to another household than payment {payment_id}")
        total += rows[0]["amount_cents"]
    if total != payment["amount_cents"]:
        raise env.Error(f"the fees add up to ${total / 100:.2f}, but ${payment['amount_cents'] / 100:.2f} was sent")
    for fee_id in fee_ids:
        env.execute(
            "UPDATE fees SET status = 'paid', payment_id = ?, settled_at = ? WHERE id = ?",
            [payment_id, env.now, fee_id],
        )
    return {
        "payment_id": payment_id,
        "amount_cents": payment["amount_cents"],
        "fees": [_list_fees_rows(env, fee_id=fee_id)[0] for fee_id in fee_ids],
        "owed_cents": _get_household_account_owed(env, payment["household_id"]),
    }
