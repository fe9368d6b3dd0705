import datetime


def _report_part_lost_part(env, item_part_id):
    row = env.one(
        """SELECT p.id, p.item_id, p.name, p.lost_price_cents, p.status, p.lost_on, l.id AS loan_id
           FROM item_parts p JOIN loans l ON l.item_id = p.item_id AND l.status = 'on_loan'
           JOIN household_members m ON m.client_id = l.client_id JOIN households h ON h.id = m.household_id
           WHERE p.id = :part AND (h.contact_client_id = :user OR EXISTS (
             SELECT 1 FROM household_members u WHERE u.household_id = h.id AND u.client_id = :user))""",
        {"part": item_part_id, "user": env.user_id},
    )
    if row is None:
        raise env.Error(f"there is no part {item_part_id} of an item on loan to you")
    return row


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


def report_part_found(env, *, item_part_id: int) -> dict:
    """Records that a lost part has turned up; within 60 days its fee is taken back."""
    part = _report_part_lost_part(env, item_part_id)
    if part["status"] != "lost":
        raise env.Error(f"the {part['name']} is not recorded as lost")
    fee = env.one(
        """SELECT id, status FROM fees WHERE item_part_id = ? AND loan_id = ? AND kind = 'lost_part'
           ORDER BY charged_on DESC, id DESC LIMIT 1""",
        [item_part_id, part["loan_id"]],
    )
    days = (datetime.date.fromisoformat(env.now[:10]) - datetime.date.fromisoformat(part["lost_on"])).days
    env.execute("UPDATE item_parts SET status = 'with_item', lost_on = NULL WHERE id = ?", [item_part_id])
    if fee is not None and days <= 60 and fee["status"] in ("open", "paid"):
        env.execute(
            "UPDATE fees SET status = ?, settled_at = ? WHERE id = ?",
            ["credited" if fee["status"] == "open" else "refunded", env.now, fee["id"]],
        )
    return {
        "item_part_id": item_part_id,
        "item_id": part["item_id"],
        "name": part["name"],
        "status": "with_item",
        "lost_on": None,
        "fee": None if fee is None else _list_fees_rows(env, fee_id=fee["id"])[0],
    }
