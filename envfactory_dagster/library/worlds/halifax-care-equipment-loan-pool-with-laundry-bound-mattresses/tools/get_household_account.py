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


def _get_household_account_deposits(env, household_id):
    row = env.one(
        """SELECT COALESCE(SUM(l.deposit_cents), 0) AS held FROM loans l
           JOIN household_members m ON m.client_id = l.client_id
           WHERE m.household_id = ? AND l.status IN ('reserved', 'on_loan') AND l.deposit_refunded_on IS NULL""",
        [household_id],
    )
    return row["held"]


def _get_household_account_items(env, household_id):
    items = env.one(
        """SELECT COUNT(*) AS n FROM loans l JOIN household_members m ON m.client_id = l.client_id
           JOIN items i ON i.id = l.item_id JOIN item_types t ON t.id = i.item_type_id
           WHERE m.household_id = ? AND l.status IN ('reserved', 'on_loan') AND t.counts_to_limit = 1""",
        [household_id],
    )["n"]
    members = env.one("SELECT COUNT(*) AS n FROM household_members WHERE household_id = ?", [household_id])["n"]
    return items, 7 if members >= 2 else 5


def get_household_account(env, *, household_id: int) -> dict:
    """Shows what a household owes, its deposits and how many items count towards its limit."""
    household = _list_households_one(env, household_id)
    items, limit = _get_household_account_items(env, household_id)
    return {
        "household_id": household["id"],
        "address": household["address"],
        "owed_cents": _get_household_account_owed(env, household_id),
        "debt_limit_cents": 7500,
        "deposits_held_cents": _get_household_account_deposits(env, household_id),
        "items_counted": items,
        "item_limit": limit,
    }
