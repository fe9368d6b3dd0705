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


def release_deposit(env, *, hire_id: int) -> dict:
    """Has the deposit of an inspected hire paid back less the agreed charges."""
    hire = _get_hire_row(env, hire_id)
    deposit = env.one("SELECT id, amount_cents, status, paid_at FROM deposits WHERE hire_id = ?", [hire_id])
    if deposit is None:
        raise env.Error(f"the hire for {hire['show_title']} has no deposit")
    if deposit["status"] != "held":
        raise env.Error(f"that deposit is {deposit['status']}, not held")
    if hire["inspected_at"] is None:
        raise env.Error("that hire has not been inspected yet")
    waiting = env.one(
        "SELECT id, reason FROM deposit_charges WHERE deposit_id = ? AND agreed_at IS NULL ORDER BY id LIMIT 1", [deposit["id"]]
    )
    if waiting is not None:
        raise env.Error(f"the charge {waiting['id']} ({waiting['reason']}) has not been agreed; a signatory must agree to it first")
    charged = env.one("SELECT COALESCE(SUM(amount_cents), 0) AS charged_cents FROM deposit_charges WHERE deposit_id = ?", [deposit["id"]])
    env.execute("UPDATE deposits SET status = 'released', released_at = ? WHERE id = ?", [env.now, deposit["id"]])
    return {
        "id": deposit["id"],
        "hire_id": hire_id,
        "amount_cents": deposit["amount_cents"],
        "status": "released",
        "paid_at": deposit["paid_at"],
        "released_at": env.now,
        "charged_cents": charged["charged_cents"],
        "paid_back_cents": max(0, deposit["amount_cents"] - charged["charged_cents"]),
    }
