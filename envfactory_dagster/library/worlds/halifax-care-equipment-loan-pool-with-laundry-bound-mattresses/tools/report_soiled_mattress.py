import datetime


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


def report_soiled_mattress(env, *, loan_id: int) -> dict:
    """Records that a pressure mattress on loan is soiled."""
    loan = _list_loans_one(env, loan_id)
    if loan["item_type_name"] != "pressure mattress":
        raise env.Error(f"loan {loan_id} is a {loan['item_type_name']}, not a pressure mattress")
    if loan["status"] not in ("reserved", "on_loan"):
        raise env.Error(f"loan {loan_id} is {loan['status']}, only a mattress of a running loan can be reported")
    if loan["soiled_at"] is not None:
        raise env.Error(f"the mattress was already reported soiled at {loan['soiled_at']}")
    env.execute("UPDATE loans SET soiled_at = ? WHERE id = ?", [env.now, loan_id])
    return _list_loans_one(env, loan_id)
