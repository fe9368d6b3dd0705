def _get_hire_row(env, hire_id: int) -> dict:
    """A hire of one of the user's customers, with the kind of the customer."""
    hire = env.one(
        "SELECT h.id, h.hire_number, h.customer_id, h.show_title, h.collection_date, h.due_date, h.bank_holiday_id, "
        "h.status, h.held_at, h.hold_lapses_at, h.hold_renewed_at, h.confirmed_at, h.confirmed_by_person_id, "
        "h.collector_person_id, h.collected_at, h.returned_at, h.inspected_at, h.closed_at, h.cancelled_at, "
        "c.kind AS customer_kind, c.name AS customer_name "
        "FROM hires h JOIN customers c ON c.id = h.customer_id WHERE h.id = ? AND EXISTS "
        "(SELECT 1 FROM person_roles r WHERE r.customer_id = h.customer_id AND r.person_id = ?)",
        [hire_id, env.user_id],
    )
    if hire is None:
        raise env.Error(f"you have no hire {hire_id}")
    return hire


def get_deposit(env, *, hire_id: int) -> dict:
    """Shows the damage deposit of one hire of the user's customers with its charges."""
    hire = _get_hire_row(env, hire_id)
    deposit = env.one("SELECT id, hire_id, amount_cents, status, paid_at, released_at FROM deposits WHERE hire_id = ?", [hire["id"]])
    if deposit is None:
        raise env.Error(f"the hire for {hire['show_title']} has no deposit")
    shown = dict(deposit)
    shown["deposit_charges"] = env.query(
        "SELECT id, hire_line_id, reason, amount_cents, charged_at, agreed_at, agreed_by_person_id FROM deposit_charges "
        "WHERE deposit_id = ? ORDER BY charged_at, id",
        [deposit["id"]],
    )
    return shown
