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


def _list_households_client(env, client_id):
    row = env.one(
        """SELECT c.id, c.name, c.weight_kg, m.household_id, h.stairs_noted FROM clients c
           JOIN household_members m ON m.client_id = c.id JOIN households h ON h.id = m.household_id
           WHERE c.id = :client AND (h.contact_client_id = :user OR EXISTS (
             SELECT 1 FROM household_members u WHERE u.household_id = h.id AND u.client_id = :user))""",
        {"client": client_id, "user": env.user_id},
    )
    if row is None:
        raise env.Error(f"there is no client {client_id} in your households")
    return row


def _list_item_types_one(env, item_type_id):
    row = env.one("SELECT * FROM item_types WHERE id = ?", [item_type_id])
    if row is None:
        raise env.Error(f"there is no item type {item_type_id}")
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


def list_loans(env, *, household_id: int = None, client_id: int = None, item_type_id: int = None,
               status: str = None) -> dict:
    """Lists the loans of the user's households."""
    if household_id is not None:
        _list_households_one(env, household_id)
    if client_id is not None:
        _list_households_client(env, client_id)
    if item_type_id is not None:
        _list_item_types_one(env, item_type_id)
    return {"loans": _list_loans_rows(env, household_id=household_id, client_id=client_id,
                                      item_type_id=item_type_id, status=status)}
