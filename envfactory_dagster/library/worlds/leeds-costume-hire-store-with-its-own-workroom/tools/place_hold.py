from datetime import date, timedelta


def _list_bank_holidays_all(env) -> list:
    """The days of all bank holidays."""
    return [row["day"] for row in env.query("SELECT day FROM bank_holidays ORDER BY day", [])]


def _list_bank_holidays_day(env, day: str) -> str:
    """A day as it stands, refused when the calendar has no such day."""
    try:
        return date.fromisoformat(day).isoformat()
    except ValueError:
        raise env.Error(f"{day} is not a day of the calendar; days look like 2024-05-10")


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


def place_hold(
    env,
    *,
    customer_id: int,
    show_title: str,
    collection_date: str,
    due_date: str,
    piece_ids: list[int] | None = None,
    set_ids: list[int] | None = None,
    accessory_ids: list[int] | None = None,
) -> dict:
    """Puts pieces, sets and accessories on hold as a new hire."""
    piece_ids = [] if piece_ids is None else piece_ids
    set_ids = [] if set_ids is None else set_ids
    accessory_ids = [] if accessory_ids is None else accessory_ids
    customer = _list_customer_people_customer(env, customer_id)
    title = show_title.strip()
    if title == "":
        raise env.Error("say what the things are for")
    today = env.now[:10]
    holidays = _list_bank_holidays_all(env)
    collection = _list_bank_holidays_day(env, collection_date)
    asked_due = _list_bank_holidays_day(env, due_date)
    if collection <= today:
        raise env.Error("the day of collection must be later than today")
    if not _list_bank_holidays_works(holidays, collection):
        raise env.Error(f"{collection} is not a working day")
    if asked_due <= collection:
        raise env.Error("the due date must be later than the day of collection")
    count = len(piece_ids) + len(set_ids) + len(accessory_ids)
    if count == 0:
        raise env.Error("name at least one piece, set or accessory")
    due = asked_due
    bank_holiday_id = None
    if not _list_bank_holidays_works(holidays, due):
        due = _list_bank_holidays_add(holidays, due, 1)
        holiday = env.one("SELECT id FROM bank_holidays WHERE day >= ? AND day < ? ORDER BY day LIMIT 1", [asked_due, due])
        bank_holiday_id = None if holiday is None else holiday["id"]
    items = _check_availability_items(env, holidays, collection, due, piece_ids, set_ids, accessory_ids)
    class_p = 0
    added = 0
    for item in items:
        if item["piece_id"] is not None:
            piece = env.one("SELECT set_id, is_class_p FROM pieces WHERE id = ?", [item["piece_id"]])
            if piece["set_id"] is not None:
                raise env.Error(f"{item['description']} belongs to a set and goes out only with the whole set")
            class_p = class_p + piece["is_class_p"]
        if item["set_id"] is not None:
            part = env.one("SELECT COUNT(*) AS pieces FROM pieces WHERE set_id = ? AND is_class_p = 1", [item["set_id"]])
            class_p = class_p + part["pieces"]
        added = added + _place_hold_count(env, customer, item["piece_id"], item["set_id"], item["accessory_id"])
    for item in items:
        if not item["is_available"]:
            why = {"condition_d": "is in condition D", "on_another_hire": "is promised to another hire", "cleaning_or_repair": "is not back from cleaning or repair in time"}[item["reason"]]
            raise env.Error(f"{item['description']} {why}")
    _place_hold_class_p(env, customer, class_p)
    _place_hold_room(env, customer, added)
    days = (date.fromisoformat(asked_due) - date.fromisoformat(collection)).days
    weeks = (days + 6) // 7
    percent = _place_hold_percent(customer["kind"], count)
    lapses_at = _list_bank_holidays_add(holidays, today, 5) + "T16:00:00"
    hire_id = env.insert(
        "INSERT INTO hires (hire_number, customer_id, show_title, collection_date, due_date, bank_holiday_id, status, held_at, hold_lapses_at) "
        "VALUES (?, ?, ?, ?, ?, ?, 'held', ?, ?)",
        [env.new_id("H"), customer["id"], title, collection, due, bank_holiday_id, env.now, lapses_at],
    )
    for item in items:
        base = 4800 if item["set_id"] is not None else 400
        line_percent = percent
        if item["piece_id"] is not None:
            piece = env.one("SELECT is_class_p FROM pieces WHERE id = ?", [item["piece_id"]])
            base = 8500 if piece["is_class_p"] == 1 else 2200
            line_percent = 0 if piece["is_class_p"] == 1 else percent
        env.insert(
            "INSERT INTO hire_lines (hire_id, piece_id, set_id, accessory_id, fee_cents, status) VALUES (?, ?, ?, ?, ?, 'active')",
            [hire_id, item["piece_id"], item["set_id"], item["accessory_id"], _place_hold_fee(base, weeks, line_percent)],
        )
    lines = _get_hire_lines(env, hire_id)
    shown = _get_hire_summary(_get_hire_row(env, hire_id))
    shown["fee_cents"] = sum(line["fee_cents"] for line in lines)
    shown["hire_lines"] = lines
    return shown
