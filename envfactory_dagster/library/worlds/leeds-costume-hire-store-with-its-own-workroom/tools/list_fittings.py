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


def list_fittings(env, *, hire_id: int, status: str | None = None) -> dict:
    """Lists the fittings of one hire of the user's customers."""
    hire = _get_hire_row(env, hire_id)
    fittings = env.query(
        "SELECT f.id, f.hire_line_id, f.person_id, f.starts_at, f.status, f.fee_cents, p.full_name, f.booked_at, f.cancelled_at "
        "FROM fittings f JOIN hire_lines l ON l.id = f.hire_line_id JOIN people p ON p.id = f.person_id "
        "WHERE l.hire_id = :hire_id AND (:status IS NULL OR f.status = :status) ORDER BY f.starts_at, f.id",
        {"hire_id": hire["id"], "status": status},
    )
    return {"fittings": fittings}
