import datetime


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


def _list_deliveries_rows(env, delivery_id=None, client_id=None, loan_id=None, kind=None, status=None,
                          first_day=None, last_day=None):
    return env.query(
        """SELECT d.id AS delivery_id, d.loan_id, l.client_id, c.name AS client_name, l.item_id, i.tag,
                  t.name AS item_type_name, d.kind, d.status, d.van_slot_id, s.day, s.part_of_day,
                  v.name AS volunteer_name, d.booked_at, d.cancelled_at, d.cancel_reason
           FROM deliveries d JOIN loans l ON l.id = d.loan_id JOIN clients c ON c.id = l.client_id
           JOIN items i ON i.id = l.item_id JOIN item_types t ON t.id = i.item_type_id
           JOIN van_slots s ON s.id = d.van_slot_id JOIN volunteers v ON v.id = s.volunteer_id
           JOIN household_members m ON m.client_id = l.client_id JOIN households h ON h.id = m.household_id
           WHERE (h.contact_client_id = :user OR EXISTS (
                   SELECT 1 FROM household_members u WHERE u.household_id = h.id AND u.client_id = :user))
             AND (:delivery IS NULL OR d.id = :delivery) AND (:client IS NULL OR l.client_id = :client)
             AND (:loan IS NULL OR d.loan_id = :loan) AND (:kind IS NULL OR d.kind = :kind)
             AND (:status IS NULL OR d.status = :status)
             AND (:first IS NULL OR s.day >= :first) AND (:last IS NULL OR s.day <= :last)
           ORDER BY s.day, CASE s.part_of_day WHEN 'morning' THEN 0 ELSE 1 END, d.id""",
        {"user": env.user_id, "delivery": delivery_id, "client": client_id, "loan": loan_id, "kind": kind,
         "status": status, "first": first_day, "last": last_day},
    )


def list_deliveries(env, *, client_id: int = None, loan_id: int = None, kind: str = None, status: str = None,
                    first_day: str = None, last_day: str = None) -> dict:
    """Lists the deliveries and collections of the user's households."""
    if client_id is not None:
        _list_households_client(env, client_id)
    if loan_id is not None:
        _list_loans_one(env, loan_id)
    if first_day is not None and last_day is not None and last_day < first_day:
        raise env.Error("the last day lies before the first day")
    return {"deliveries": _list_deliveries_rows(env, client_id=client_id, loan_id=loan_id, kind=kind, status=status,
                                                first_day=first_day, last_day=last_day)}
