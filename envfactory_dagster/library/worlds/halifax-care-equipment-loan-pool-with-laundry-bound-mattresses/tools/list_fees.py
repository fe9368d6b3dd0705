import datetime


def _list_households_one(env, household_id):
    row = env.one(
        """SELECT h.id, h.address, h.stairs_noted FROM households h
           WHERE h.id = :household AND (h.contact_client_id = :user OR EXISTS (
             SELECT 1 FROM household_members u WHERE u.household_id = h.id AND u.client_id = :user))""",
        {"household": household_id, "user": env.user_id},
    )
    if row is None:
        raise env.Error(f"you have no household {household_id}")
    return row


def _list_loans_rows(env, loan_id=None, household_id=None, client_id=None, item_type_id=None, status=None):
    rows = env.query(
        """SELECT l.id AS loan_id, l.client_id, c.name AS client_name, l.item_id, i.tag, i.item_type_id,
                  t.name AS item_type_name, l.request_id, l.status, l.reserved_until, l.out_on, l.due_on,
                  l.renewals_used, t.max_renewals, l.soiled_at, l.collection_asked_on, l.returned_on,
                  l.deposit_cents, l.deposit_refunded_on
           FROM loans l JOIN clients c ON c.id = l.client_id JOIN items i ON i.id = l.item_id
           JOIN item_types t ON t.id = i.item_type_id JOIN household_members m ON m.client_id = l.client_id
           JOIN households h ON h.id = m.household_id
           WHERE (h.contact_client_id = :user OR EXISTS (
                   SELECT 1 FROM household_members u WHERE u.household_id = h.id AND u.client_id = :user))
             AND (:loan IS NULL OR l.id = :loan) AND (:household IS NULL OR h.id = :household)
             AND (:client IS NULL OR l.client_id = :client) AND (:type IS NULL OR i.item_type_id = :type)
             AND (:status IS NULL OR l.status = :status)
           ORDER BY l.id""",
        {"user": env.user_id, "loan": loan_id, "household": household_id, "client": client_id,
         "type": item_type_id, "status": status},
    )
    for row in rows:
        row["weeks_late"] = 0
        if row["due_on"] is not None:
            stop = min(day for day in (env.now[:10], row["collection_asked_on"], row["returned_on"]) if day is not None)
            days = (datetime.date.fromisoformat(stop) - datetime.date.fromisoformat(row["due_on"])).days
            row["weeks_late"] = (days + 6) // 7 if days > 0 else 0
    return rows


def _list_loans_one(env, loan_id):
    rows = _list_loans_rows(env, loan_id=loan_id)
    if not rows:
        raise env.Error(f"you have no loan {loan_id}")
    return rows[0]


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


def list_fees(env, *, household_id: int = None, loan_id: int = None, kind: str = None, status: str = None) -> dict:
    """Lists the fees of the user's households."""
    if household_id is not None:
        _list_households_one(env, household_id)
    if loan_id is not None:
        _list_loans_one(env, loan_id)
    return {"fees": _list_fees_rows(env, household_id=household_id, loan_id=loan_id, kind=kind, status=status)}
