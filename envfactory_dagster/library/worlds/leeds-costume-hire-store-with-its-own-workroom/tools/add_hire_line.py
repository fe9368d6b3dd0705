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


def _check_availability_rest(cleaning_class: str) -> int:
    """Working days a piece rests after a return."""
    return {"washable": 3, "dry_clean": 5, "fur_feather_wool": 8}[cleaning_class]


def _check_availability_piece(env, holidays: list, piece: dict, collection: str, due: str):
    """Why a piece cannot go out for a period, or None."""
    if piece["condition"] == "D":
        return "condition_d"
    rest = _check_availability_rest(piece["cleaning_class"])
    reason = None
    others = env.query(
        "SELECT h.id, h.collection_date, h.due_date, h.status, h.returned_at FROM hire_lines l "
        "JOIN hires h ON h.id = l.hire_id WHERE l.status = 'active' AND (l.piece_id = :piece_id OR l.set_id = :set_id) "
        "AND (h.status IN ('confirmed', 'out', 'returned', 'inspected', 'closed') "
        "OR (h.status = 'held' AND h.hold_lapses_at > :now)) ORDER BY h.id",
        {"piece_id": piece["id"], "set_id": piece["set_id"], "now": env.now},
    )
    for other in others:
        if other["returned_at"] is not None:
            if collection < _list_bank_holidays_add(holidays, other["returned_at"][:10], rest):
                reason = "cleaning_or_repair"
            continue
        first = other["collection_date"]
        last = other["due_date"]
        if other["status"] == "out":
            last = max(last, env.now[:10])
        if first <= due and collection <= last:
            return "on_another_hire"
        if collection > last and collection < _list_bank_holidays_add(holidays, last, rest):
            reason = "cleaning_or_repair"
        if first > due and first < _list_bank_holidays_add(holidays, due, rest):
            reason = "cleaning_or_repair"
    job = env.one(
        "SELECT id FROM cleaning_repair_jobs WHERE piece_id = ? AND back_on_rail_on > ? ORDER BY id LIMIT 1",
        [piece["id"], collection],
    )
    if job is not None:
        reason = "cleaning_or_repair"
    return reason


def _check_availability_accessory(env, accessory_id: int, collection: str, due: str):
    """Why an accessory cannot go out for a period, or None."""
    other = env.one(
        "SELECT h.id FROM hire_lines l JOIN hires h ON h.id = l.hire_id WHERE l.status = 'active' "
        "AND l.accessory_id = :accessory_id AND h.returned_at IS NULL AND h.collection_date <= :due "
        "AND CASE WHEN h.status = 'out' AND h.due_date < :today THEN :today ELSE h.due_date END >= :collection "
        "AND (h.status IN ('confirmed', 'out') OR (h.status = 'held' AND h.hold_lapses_at > :now)) ORDER BY h.id LIMIT 1",
        {"accessory_id": accessory_id, "due": due, "collection": collection, "today": env.now[:10], "now": env.now},
    )
    return None if other is None else "on_another_hire"


def _check_availability_items(env, holidays: list, collection: str, due: str, piece_ids: list, set_ids: list, accessory_ids: list) -> list:
    """Every wanted thing with whether it could go out for a period."""
    items = []
    for piece_id in piece_ids:
        piece = env.one("SELECT id, description, condition, cleaning_class, set_id FROM pieces WHERE id = ?", [piece_id])
        if piece is None:
            raise env.Error(f"there is no piece {piece_id}")
        reason = _check_availability_piece(env, holidays, piece, collection, due)
        items.append({"piece_id": piece_id, "set_id": None, "accessory_id": None, "description": piece["description"], "is_available": reason is None, "reason": reason})
    for set_id in set_ids:
        found = env.one("SELECT id, name FROM sets WHERE id = ?", [set_id])
        if found is None:
            raise env.Error(f"there is no set {set_id}")
        reasons = []
        for piece in env.query("SELECT id, description, condition, cleaning_class, set_id FROM pieces WHERE set_id = ? ORDER BY id", [set_id]):
            reasons.append(_check_availability_piece(env, holidays, piece, collection, due))
        reason = None
        for candidate in ("condition_d", "on_another_hire", "cleaning_or_repair"):
            if reason is None and candidate in reasons:
                reason = candidate
        items.append({"piece_id": None, "set_id": set_id, "accessory_id": None, "description": found["name"], "is_available": reason is None, "reason": reason})
    for accessory_id in accessory_ids:
        accessory = env.one("SELECT id, description FROM accessories WHERE id = ?", [accessory_id])
        if accessory is None:
            raise env.Error(f"there is no accessory {accessory_id}")
        reason = _check_availability_accessory(env, accessory_id, collection, due)
        items.append({"piece_id": None, "set_id": None, "accessory_id": accessory_id, "description": accessory["description"], "is_available": reason is None, "reason": reason})
    return items


def _place_hold_season(env) -> bool:
    """Whether today lies from 1 November to 6 January."""
    return env.now[5:10] >= "11-01" or env.now[5:10] <= "01-06"


def _place_hold_count(env, customer: dict, piece_id, set_id, accessory_id) -> int:
    """How much one line counts against the quota of a customer."""
    no_nativity = customer["kind"] == "school" and _place_hold_season(env)
    if piece_id is not None:
        piece = env.one("SELECT is_class_p, is_nativity FROM pieces WHERE id = ?", [piece_id])
        if no_nativity and piece["is_nativity"] == 1:
            return 0
        return 2 if piece["is_class_p"] == 1 else 1
    if set_id is not None:
        other = env.one("SELECT id FROM pieces WHERE set_id = ? AND is_nativity = 0 ORDER BY id LIMIT 1", [set_id])
        return 0 if no_nativity and other is None else 1
    accessory = env.one("SELECT kind FROM accessories WHERE id = ?", [accessory_id])
    return 1 if accessory["kind"] in ("weapon", "jewellery") else 0


def _place_hold_room(env, customer: dict, added: int) -> None:
    """Refuses what would exceed the quota of a customer."""
    limit = {"school": 60, "society": 40, "film_student": 12}[customer["kind"]]
    if customer["kind"] != "school" and _place_hold_season(env):
        limit = limit // 2
    used = 0
    lines = env.query(
        "SELECT l.id, l.piece_id, l.set_id, l.accessory_id FROM hire_lines l JOIN hires h ON h.id = l.hire_id "
        "WHERE h.customer_id = ? AND l.status = 'active' AND (h.status IN ('confirmed', 'out') "
        "OR (h.status = 'held' AND h.hold_lapses_at > ?)) ORDER BY l.id",
        [customer["id"], env.now],
    )
    for line in lines:
        used = used + _place_hold_count(env, customer, line["piece_id"], line["set_id"], line["accessory_id"])
    if used + added > limit and added > 0:
        raise env.Error(f"{customer['name']} may have {limit} pieces held, confirmed or out at once; {used} count now and this would add {added}")


def _place_hold_class_p(env, customer: dict, count: int) -> None:
    """Refuses class P pieces beyond what one hire may hold."""
    if count > 0 and customer["kind"] == "school":
        raise env.Error("class P pieces never go to schools")
    if count > 2:
        raise env.Error(f"a hire may contain at most 2 class P pieces, and this one would have {count}")


def _place_hold_fee(base_cents: int, weeks: int, percent: int) -> int:
    """The fee of one line for so many weeks, after a discount in percent."""
    fee = base_cents + (weeks - 1) * base_cents // 2
    return (fee * (100 - percent) + 50) // 100


def _place_hold_percent(kind: str, lines: int) -> int:
    """The discount of a customer in percent."""
    if kind == "school":
        return 15
    return 10 if kind == "society" and lines >= 20 else 0


def add_hire_line(
    env,
    *,
    hire_id: int,
    piece_id: int | None = None,
    set_id: int | None = None,
    accessory_id: int | None = None,
) -> dict:
    """Adds one piece, set or accessory to a held hire."""
    hire = _get_hire_row(env, hire_id)
    if (piece_id is not None) + (set_id is not None) + (accessory_id is not None) != 1:
        raise env.Error("give exactly one of a piece, a set and an accessory")
    if hire["status"] != "held":
        raise env.Error(f"that hire is {hire['status']}; lines are added only while it is held")
    if hire["hold_lapses_at"] <= env.now:
        raise env.Error(f"that hold lapsed at {hire['hold_lapses_at']}")
    customer = {"id": hire["customer_id"], "name": hire["customer_name"], "kind": hire["customer_kind"]}
    there = env.one(
        "SELECT id FROM hire_lines WHERE hire_id = :hire_id AND status = 'active' "
        "AND (piece_id = :piece_id OR set_id = :set_id OR accessory_id = :accessory_id) ORDER BY id LIMIT 1",
        {"hire_id": hire_id, "piece_id": piece_id, "set_id": set_id, "accessory_id": accessory_id},
    )
    if there is not None:
        raise env.Error("that is on this hire already")
    holidays = _list_bank_holidays_all(env)
    item = _check_availability_items(
        env,
        holidays,
        hire["collection_date"],
        hire["due_date"],
        [] if piece_id is None else [piece_id],
        [] if set_id is None else [set_id],
        [] if accessory_id is None else [accessory_id],
    )[0]
    added_p = 0
    base = 400
    if piece_id is not None:
        piece = env.one("SELECT set_id, is_class_p FROM pieces WHERE id = ?", [piece_id])
        if piece["set_id"] is not None:
            raise env.Error(f"{item['description']} belongs to a set and goes out only with the whole set")
        added_p = piece["is_class_p"]
        base = 8500 if piece["is_class_p"] == 1 else 2200
    if set_id is not None:
        added_p = env.one("SELECT COUNT(*) AS pieces FROM pieces WHERE set_id = ? AND is_class_p = 1", [set_id])["pieces"]
        base = 4800
    if not item["is_available"]:
        why = {"condition_d": "is in condition D", "on_another_hire": "is promised to another hire", "cleaning_or_repair": "is not back from cleaning or repair in time"}[item["reason"]]
        raise env.Error(f"{item['description']} {why}")
    if added_p > 0:
        held_p = env.one(
            "SELECT COUNT(*) AS pieces FROM hire_lines l JOIN pieces p ON (p.id = l.piece_id OR p.set_id = l.set_id) "
            "WHERE l.hire_id = ? AND l.status = 'active' AND p.is_class_p = 1",
            [hire_id],
        )
        _place_hold_class_p(env, customer, held_p["pieces"] + added_p)
    _place_hold_room(env, customer, _place_hold_count(env, customer, piece_id, set_id, accessory_id))
    asked_due = hire["due_date"]
    if hire["bank_holiday_id"] is not None:
        asked_due = env.one("SELECT day FROM bank_holidays WHERE id = ?", [hire["bank_holiday_id"]])["day"]
    days = (date.fromisoformat(asked_due) - date.fromisoformat(hire["collection_date"])).days
    weeks = max(1, (days + 6) // 7)
    active = env.one("SELECT COUNT(*) AS held_lines FROM hire_lines WHERE hire_id = ? AND status = 'active'", [hire_id])
    percent = 0 if base == 8500 else _place_hold_percent(hire["customer_kind"], active["held_lines"] + 1)
    line_id = env.insert(
        "INSERT INTO hire_lines (hire_id, piece_id, set_id, accessory_id, fee_cents, status) VALUES (?, ?, ?, ?, ?, 'active')",
        [hire_id, piece_id, set_id, accessory_id, _place_hold_fee(base, weeks, percent)],
    )
    return {"hire_line": [line for line in _get_hire_lines(env, hire_id) if line["id"] == line_id][0]}
