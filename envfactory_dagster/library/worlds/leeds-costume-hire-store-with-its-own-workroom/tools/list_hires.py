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


def list_hires(
    env,
    *,
    customer_id: int | None = None,
    status: str | None = None,
    show_title: str | None = None,
    first_day: str | None = None,
    last_day: str | None = None,
) -> dict:
    """Lists hires of the user's customers."""
    if customer_id is not None:
        _list_customer_people_customer(env, customer_id)
    first = None if first_day is None else _list_bank_holidays_day(env, first_day)
    last = None if last_day is None else _list_bank_holidays_day(env, last_day)
    rows = env.query(
        "SELECT h.id, h.hire_number, h.customer_id, h.show_title, h.collection_date, h.due_date, h.status, h.hold_lapses_at, "
        "COALESCE((SELECT SUM(l.fee_cents) FROM hire_lines l WHERE l.hire_id = h.id AND l.status = 'active'), 0) AS fee_cents "
        "FROM hires h WHERE EXISTS (SELECT 1 FROM person_roles r WHERE r.customer_id = h.customer_id AND r.person_id = :user_id) "
        "AND (:customer_id IS NULL OR h.customer_id = :customer_id) AND (:status IS NULL OR h.status = :status) "
        "AND (:first_day IS NULL OR h.collection_date >= :first_day) AND (:last_day IS NULL OR h.collection_date <= :last_day) "
        "ORDER BY h.collection_date DESC, h.id DESC",
        {"user_id": env.user_id, "customer_id": customer_id, "status": status, "first_day": first, "last_day": last},
    )
    words = [] if show_title is None else show_title.lower().split()
    return {"hires": [row for row in rows if all(word in row["show_title"].lower() for word in words)]}
