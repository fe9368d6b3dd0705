from datetime import date


def _list_bank_holidays_day(env, day: str) -> str:
    """A day as it stands, refused when the calendar has no such day."""
    try:
        return date.fromisoformat(day).isoformat()
    except ValueError:
        raise env.Error(f"{day} is not a day of the calendar; days look like 2024-05-10")


def _list_customer_people_customer(env, customer_id: int) -> dict:
    """A customer the user is attached to."""
    customer = env.one(
        "SELECT c.id, c.name, c.kind FROM customers c WHERE c.id = ? AND EXISTS "
        "(SELECT 1 FROM person_roles r WHERE r.customer_id = c.id AND r.person_id = ?)",
        [customer_id, env.user_id],
    )
    if customer is None:
        raise env.Error(f"you are not attached to a customer {customer_id}")
    return customer


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


def list_invoices(
    env,
    *,
    customer_id: int | None = None,
    hire_id: int | None = None,
    kind: str | None = None,
    status: str | None = None,
    first_day: str | None = None,
    last_day: str | None = None,
) -> dict:
    """Lists invoices and credit notes of the user's customers."""
    if customer_id is not None:
        _list_customer_people_customer(env, customer_id)
    if hire_id is not None:
        _get_hire_row(env, hire_id)
    first = None if first_day is None else _list_bank_holidays_day(env, first_day)
    last = None if last_day is None else _list_bank_holidays_day(env, last_day)
    invoices = env.query(
        "SELECT i.id, i.invoice_number, i.hire_id, i.kind, i.issued_on, i.due_on, i.status, "
        "COALESCE((SELECT SUM(l.amount_cents) FROM invoice_lines l WHERE l.invoice_id = i.id), 0) AS total_cents "
        "FROM invoices i JOIN hires h ON h.id = i.hire_id WHERE EXISTS "
        "(SELECT 1 FROM person_roles r WHERE r.customer_id = h.customer_id AND r.person_id = :user_id) "
        "AND (:customer_id IS NULL OR h.customer_id = :customer_id) AND (:hire_id IS NULL OR i.hire_id = :hire_id) "
        "AND (:kind IS NULL OR i.kind = :kind) AND (:status IS NULL OR i.status = :status) "
        "AND (:first_day IS NULL OR i.issued_on >= :first_day) AND (:last_day IS NULL OR i.issued_on <= :last_day) "
        "ORDER BY i.issued_on DESC, i.id DESC",
        {
            "user_id": env.user_id,
            "customer_id": customer_id,
            "hire_id": hire_id,
            "kind": kind,
            "status": status,
            "first_day": first,
            "last_day": last,
        },
    )
    return {"invoices": invoices}
