import datetime


def _list_item_types_free(env, item_type_id):
    row = env.one(
        """SELECT COUNT(*) AS n FROM items i WHERE i.item_type_id = :type AND i.status = 'in_store' AND NOT EXISTS (
             SELECT 1 FROM offers o WHERE o.item_id = i.id AND o.status = 'open' AND o.lapses_at >= :now)""",
        {"type": item_type_id, "now": env.now},
    )
    return row["n"]


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


def renew_loan(env, *, loan_id: int) -> dict:
    """Renews a loan by one more term from its old due day."""
    loan = _list_loans_one(env, loan_id)
    if loan["status"] != "on_loan":
        raise env.Error(f"loan {loan_id} is {loan['status']}, only a running loan can be renewed")
    if loan["due_on"] is None:
        raise env.Error(f"loan {loan_id} has no due day, so there is nothing to renew")
    if loan["renewals_used"] >= loan["max_renewals"]:
        raise env.Error(f"loan {loan_id} has already been renewed {loan['renewals_used']} times, which is the most")
    due = datetime.date.fromisoformat(loan["due_on"])
    stop = min(day for day in (env.now[:10], loan["collection_asked_on"]) if day is not None)
    days_late = (datetime.date.fromisoformat(stop) - due).days
    if days_late > 14:
        raise env.Error(f"loan {loan_id} is {days_late} days late, and more than 14 days late it cannot be renewed")
    urgent = env.one(
        """SELECT COUNT(*) AS n FROM requests
           WHERE item_type_id = ? AND status = 'waiting' AND priority IN (1, 2)""",
        [loan["item_type_id"]],
    )["n"]
    if urgent > 0 and _list_item_types_free(env, loan["item_type_id"]) == 0:
        raise env.Error(f"someone with priority 1 or 2 is waiting for a {loan['item_type_name']} and none is free")
    weeks = env.one("SELECT loan_weeks FROM item_types WHERE id = ?", [loan["item_type_id"]])["loan_weeks"]
    env.execute(
        "UPDATE loans SET due_on = ?, renewals_used = renewals_used + 1 WHERE id = ?",
        [(due + datetime.timedelta(weeks=weeks)).isoformat(), loan_id],
    )
    return _list_loans_one(env, loan_id)
