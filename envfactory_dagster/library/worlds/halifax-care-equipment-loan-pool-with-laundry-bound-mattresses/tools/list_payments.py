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


def list_payments(env, *, household_id: int = None) -> dict:
    """Lists the payments made for the user's households."""
    if household_id is not None:
        _list_households_one(env, household_id)
    rows = env.query(
        """SELECT p.id AS payment_id, p.household_id, p.client_id, c.name AS client_name, p.amount_cents,
                  COALESCE((SELECT SUM(f.amount_cents) FROM fees f WHERE f.payment_id = p.id), 0) AS settled_cents, p.paid_at
           FROM payments p JOIN clients c ON c.id = p.client_id JOIN households h ON h.id = p.household_id
           WHERE (h.contact_client_id = :user OR EXISTS (
                   SELECT 1 FROM household_members u WHERE u.household_id = h.id AND u.client_id = :user))
             AND (:household IS NULL OR p.household_id = :household)
           ORDER BY p.paid_at, p.id""",
        {"user": env.user_id, "household": household_id},
    )
    return {"payments": rows}
