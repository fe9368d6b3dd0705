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


def _get_household_account_owed(env, household_id):
    row = env.one(
        """SELECT COALESCE(SUM(f.amount_cents), 0) AS owed FROM fees f JOIN loans l ON l.id = f.loan_id
           JOIN household_members m ON m.client_id = l.client_id
           WHERE m.household_id = ? AND f.status = 'open'""",
        [household_id],
    )
    return row["owed"]


def send_payment(env, *, household_id: int, amount_cents: int) -> dict:
    """The person sends money for a household."""
    _list_households_one(env, household_id)
    if amount_cents < 1:
        raise env.Error("a payment is at least 1 cent")
    unused = env.one(
        """SELECT COALESCE(SUM(p.amount_cents), 0) AS cents FROM payments p
           WHERE p.household_id = ? AND NOT EXISTS (SELECT 1 FROM fees f WHERE f.payment_id = p.id)""",
        [household_id],
    )["cents"]
    left = _get_household_account_owed(env, household_id) - unused
    if amount_cents > left:
        raise env.Error(f"the household still has ${max(0, left) / 100:.2f} to pay, so ${amount_cents / 100:.2f} is too much")
    payment_id = env.insert(
        "INSERT INTO payments (household_id, client_id, amount_cents, paid_at) VALUES (?, ?, ?, ?)",
        [household_id, env.user_id, amount_cents, env.now],
    )
    return {
        "payment_id": payment_id,
        "household_id": household_id,
        "client_id": env.user_id,
        "amount_cents": amount_cents,
        "paid_at": env.now,
    }
