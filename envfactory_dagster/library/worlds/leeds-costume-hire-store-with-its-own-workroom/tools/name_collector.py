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


def _confirm_hire_signs(env, customer_id: int, kind: str, person_id: int) -> bool:
    """Whether a person is a signatory of a customer today, in a society by an unexpired committee letter."""
    if kind == "society":
        found = env.one(
            "SELECT r.id FROM person_roles r JOIN committee_letters c ON c.id = r.committee_letter_id "
            "WHERE r.customer_id = :customer_id AND r.person_id = :person_id AND r.role = 'signatory' "
            "AND c.customer_id = :customer_id AND c.received_on <= :today AND c.expires_on >= :today ORDER BY r.id LIMIT 1",
            {"customer_id": customer_id, "person_id": person_id, "today": env.now[:10]},
        )
    else:
        found = env.one(
            "SELECT id FROM person_roles WHERE customer_id = ? AND person_id = ? AND role = 'signatory' ORDER BY id LIMIT 1",
            [customer_id, person_id],
        )
    return found is not None


def _confirm_hire_is_minor(env, birth_date: str) -> bool:
    """Whether a person born on that day is under 18 today."""
    today = env.now[:10]
    age = int(today[:4]) - int(birth_date[:4])
    if today[5:] < birth_date[5:]:
        age = age - 1
    return age < 18


def _set_line_wearer_live(env, hire: dict) -> None:
    """Refuses a hire that is neither confirmed nor on a hold that still runs."""
    if hire["status"] not in ("held", "confirmed"):
        raise env.Error(f"that hire is {hire['status']}; this can only be done while it is held or confirmed")
    if hire["status"] == "held" and hire["hold_lapses_at"] <= env.now:
        raise env.Error(f"that hold lapsed at {hire['hold_lapses_at']}")


def name_collector(env, *, hire_id: int, person_id: int) -> dict:
    """Names the person who collects a hire."""
    hire = _get_hire_row(env, hire_id)
    _set_line_wearer_live(env, hire)
    if not _confirm_hire_signs(env, hire["customer_id"], hire["customer_kind"], env.user_id):
        raise env.Error(f"only a signatory of {hire['customer_name']} may name a collector")
    person = env.one(
        "SELECT p.id, p.full_name, p.birth_date FROM people p WHERE p.id = ? AND EXISTS "
        "(SELECT 1 FROM person_roles r WHERE r.customer_id = ? AND r.person_id = p.id)",
        [person_id, hire["customer_id"]],
    )
    if person is None:
        raise env.Error(f"there is no person {person_id} attached to {hire['customer_name']}")
    if _confirm_hire_is_minor(env, person["birth_date"]):
        raise env.Error(f"{person['full_name']} is under 18 and cannot collect")
    weapon = env.one(
        "SELECT a.description FROM hire_lines l JOIN accessories a ON a.id = l.accessory_id "
        "WHERE l.hire_id = ? AND l.status = 'active' AND a.kind = 'weapon' ORDER BY l.id LIMIT 1",
        [hire_id],
    )
    if weapon is not None and not _confirm_hire_signs(env, hire["customer_id"], hire["customer_kind"], person_id):
        raise env.Error(f"{weapon['description']} is a weapon, so a signatory must collect this hire")
    role = env.one(
        "SELECT id FROM person_roles WHERE customer_id = ? AND person_id = ? AND role IN ('collector', 'signatory') ORDER BY id LIMIT 1",
        [hire["customer_id"], person_id],
    )
    env.execute("UPDATE hires SET collector_person_id = ? WHERE id = ?", [person_id, hire_id])
    if role is None:
        env.insert("INSERT INTO person_roles (customer_id, person_id, role) VALUES (?, ?, 'collector')", [hire["customer_id"], person_id])
    return {"id": hire_id, "status": hire["status"], "collector_person_id": person_id}
