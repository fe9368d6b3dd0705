from datetime import date, timedelta


def _list_bank_holidays_all(env) -> list:
    """The days of all bank holidays."""
    return [row["day"] for row in env.query("SELECT day FROM bank_holidays ORDER BY day", [])]


def _list_bank_holidays_works(holidays: list, day: str) -> bool:
    """Whether a day is a working day."""
    return date.fromisoformat(day).weekday() < 5 and day not in holidays


def _list_bank_holidays_add(holidays: list, day: str, count: int) -> str:
    """The working day that lies so many working days after a day."""
    moving = date.fromisoformat(day)
    while count > 0:
        moving = moving + timedelta(days=1)
        if _list_bank_holidays_works(holidays, moving.isoformat()):
            count = count - 1
    return moving.isoformat()


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


def _place_hold_class_p(env, customer: dict, count: int) -> None:
    """Refuses class P pieces beyond what one hire may hold."""
    if count > 0 and customer["kind"] == "school":
        raise env.Error("class P pieces never go to schools")
    if count > 2:
        raise env.Error(f"a hire may contain at most 2 class P pieces, and this one would have {count}")


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


def confirm_hire(env, *, hire_id: int) -> dict:
    """Confirms a held hire in the user's name."""
    hire = _get_hire_row(env, hire_id)
    if hire["status"] != "held":
        raise env.Error(f"that hire is {hire['status']}, not on hold")
    if hire["hold_lapses_at"] <= env.now:
        raise env.Error(f"that hold lapsed at {hire['hold_lapses_at']}")
    user = env.one("SELECT id, birth_date FROM people WHERE id = ?", [env.user_id])
    if _confirm_hire_is_minor(env, user["birth_date"]):
        raise env.Error("nobody under 18 may confirm a booking")
    fee = sum(line["fee_cents"] for line in _get_hire_lines(env, hire_id) if line["status"] == "active")
    if fee == 0:
        raise env.Error("there is nothing left on that hire to confirm")
    if hire["customer_kind"] == "society" and fee > 15000 and not _confirm_hire_signs(env, hire["customer_id"], "society", env.user_id):
        raise env.Error(
            f"a booking over £150.00 for {hire['customer_name']} may be confirmed only by a signatory named in its unexpired committee letter"
        )
    holidays = _list_bank_holidays_all(env)
    class_p = env.one(
        "SELECT COUNT(*) AS pieces, COALESCE(SUM(p.replacement_value_cents), 0) AS value_cents FROM hire_lines l "
        "JOIN pieces p ON (p.id = l.piece_id OR p.set_id = l.set_id) WHERE l.hire_id = ? AND l.status = 'active' AND p.is_class_p = 1",
        [hire_id],
    )
    _place_hold_class_p(env, {"kind": hire["customer_kind"]}, class_p["pieces"])
    if class_p["pieces"] > 0:
        until = _list_bank_holidays_add(holidays, hire["due_date"], 5)
        certificate = env.one(
            "SELECT id FROM insurance_certificates WHERE hire_id = ? AND ticked_off_at IS NOT NULL AND cover_cents >= ? "
            "AND valid_until >= ? ORDER BY id LIMIT 1",
            [hire_id, class_p["value_cents"], until],
        )
        if certificate is None:
            raise env.Error(f"the class P pieces need a ticked-off insurance certificate for their full replacement value until {until} or later")
    pieces = env.one(
        "SELECT COUNT(*) AS pieces FROM hire_lines l JOIN pieces p ON (p.id = l.piece_id OR p.set_id = l.set_id) "
        "WHERE l.hire_id = ? AND l.status = 'active'",
        [hire_id],
    )
    deposit_cents = min(40000, max(5000, pieces["pieces"] * 1000)) + class_p["value_cents"] // 5
    today = env.now[:10]
    amount = (fee * 30 + 50) // 100
    env.execute(
        "UPDATE hires SET status = 'confirmed', confirmed_at = ?, confirmed_by_person_id = ? WHERE id = ?",
        [env.now, env.user_id, hire_id],
    )
    number = env.new_id("INV")
    invoice_id = env.insert(
        "INSERT INTO invoices (invoice_number, hire_id, kind, issued_on, due_on, status) VALUES (?, ?, 'confirmation', ?, ?, 'open')",
        [number, hire_id, today, _list_bank_holidays_add(holidays, today, 5)],
    )
    env.insert(
        "INSERT INTO invoice_lines (invoice_id, description, amount_cents) VALUES (?, ?, ?)",
        [invoice_id, f"30% of the hire fee for {hire['show_title']}", amount],
    )
    deposit_id = env.insert("INSERT INTO deposits (hire_id, amount_cents, status) VALUES (?, ?, 'due')", [hire_id, deposit_cents])
    return {
        "id": hire_id,
        "status": "confirmed",
        "confirmed_at": env.now,
        "confirmed_by_person_id": env.user_id,
        "fee_cents": fee,
        "invoice_id": invoice_id,
        "invoice_number": number,
        "invoice_total_cents": amount,
        "deposit_id": deposit_id,
        "deposit_amount_cents": deposit_cents,
    }
