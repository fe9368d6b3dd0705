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


def _get_hire_line_row(env, hire_line_id: int) -> dict:
    """A hire line of one of the user's customers."""
    line = env.one(
        "SELECT l.id, l.hire_id, l.piece_id, l.set_id, l.accessory_id, l.wearer_person_id, l.fee_cents, l.status, "
        "l.cancelled_at, l.kept_cents FROM hire_lines l JOIN hires h ON h.id = l.hire_id WHERE l.id = ? AND EXISTS "
        "(SELECT 1 FROM person_roles r WHERE r.customer_id = h.customer_id AND r.person_id = ?)",
        [hire_line_id, env.user_id],
    )
    if line is None:
        raise env.Error(f"you have no hire line {hire_line_id}")
    return line


def _set_line_wearer_live(env, hire: dict) -> None:
    """Refuses a hire that is neither confirmed nor on a hold that still runs."""
    if hire["status"] not in ("held", "confirmed"):
        raise env.Error(f"that hire is {hire['status']}; this can only be done while it is held or confirmed")
    if hire["status"] == "held" and hire["hold_lapses_at"] <= env.now:
        raise env.Error(f"that hold lapsed at {hire['hold_lapses_at']}")


def set_line_wearer(env, *, hire_line_id: int, person_id: int) -> dict:
    """Makes a person the wearer of one piece on a hire."""
    line = _get_hire_line_row(env, hire_line_id)
    hire = _get_hire_row(env, line["hire_id"])
    _set_line_wearer_live(env, hire)
    if line["status"] != "active":
        raise env.Error("that line is cancelled")
    if line["piece_id"] is None:
        raise env.Error("only the line of a single piece has a wearer")
    wearer = env.one(
        "SELECT id FROM person_roles WHERE customer_id = ? AND person_id = ? AND role = 'wearer' ORDER BY id LIMIT 1",
        [hire["customer_id"], person_id],
    )
    if wearer is None:
        raise env.Error(f"person {person_id} is not a wearer of {hire['customer_name']}")
    booked = env.one("SELECT starts_at FROM fittings WHERE hire_line_id = ? AND status = 'booked' ORDER BY id LIMIT 1", [hire_line_id])
    if booked is not None:
        raise env.Error(f"a fitting is booked for that line at {booked['starts_at']}; cancel it first")
    env.execute("UPDATE hire_lines SET wearer_person_id = ? WHERE id = ?", [person_id, hire_line_id])
    return {"id": hire_line_id, "hire_id": hire["id"], "piece_id": line["piece_id"], "wearer_person_id": person_id}
