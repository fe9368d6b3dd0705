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


def _get_hire_lines(env, hire_id: int) -> list:
    """All lines of a hire as they are shown."""
    return env.query(
        "SELECT l.id, l.piece_id, l.set_id, l.accessory_id, COALESCE(p.description, s.name, a.description) AS description, "
        "p.is_class_p, p.is_nativity, a.kind, l.wearer_person_id, w.full_name AS wearer_name, l.fee_cents, l.status, "
        "l.cancelled_at, l.kept_cents FROM hire_lines l LEFT JOIN pieces p ON p.id = l.piece_id "
        "LEFT JOIN sets s ON s.id = l.set_id LEFT JOIN accessories a ON a.id = l.accessory_id "
        "LEFT JOIN people w ON w.id = l.wearer_person_id WHERE l.hire_id = ? ORDER BY l.id",
        [hire_id],
    )


def _get_hire_summary(hire: dict) -> dict:
    """The fields of a hire that every list shows."""
    return {
        "id": hire["id"],
        "hire_number": hire["hire_number"],
        "customer_id": hire["customer_id"],
        "show_title": hire["show_title"],
        "collection_date": hire["collection_date"],
        "due_date": hire["due_date"],
        "status": hire["status"],
        "hold_lapses_at": hire["hold_lapses_at"],
    }


def get_hire(env, *, hire_id: int) -> dict:
    """Shows one hire of the user's customers with its lines."""
    hire = _get_hire_row(env, hire_id)
    lines = _get_hire_lines(env, hire_id)
    shown = _get_hire_summary(hire)
    for name in (
        "bank_holiday_id",
        "held_at",
        "hold_renewed_at",
        "confirmed_at",
        "confirmed_by_person_id",
        "collector_person_id",
        "collected_at",
        "returned_at",
        "inspected_at",
        "closed_at",
        "cancelled_at",
    ):
        shown[name] = hire[name]
    shown["fee_cents"] = sum(line["fee_cents"] for line in lines if line["status"] == "active")
    shown["hire_lines"] = lines
    return shown
