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


def check_availability(
    env,
    *,
    collection_date: str,
    due_date: str,
    piece_ids: list[int] | None = None,
    set_ids: list[int] | None = None,
    accessory_ids: list[int] | None = None,
) -> dict:
    """Says of pieces, sets and accessories whether they could go out for one period."""
    piece_ids = [] if piece_ids is None else piece_ids
    set_ids = [] if set_ids is None else set_ids
    accessory_ids = [] if accessory_ids is None else accessory_ids
    collection = _list_bank_holidays_day(env, collection_date)
    due = _list_bank_holidays_day(env, due_date)
    if due <= collection:
        raise env.Error("the due date must be later than the day of collection")
    if len(piece_ids) + len(set_ids) + len(accessory_ids) == 0:
        raise env.Error("name at least one piece, set or accessory")
    holidays = _list_bank_holidays_all(env)
    if not _list_bank_holidays_works(holidays, due):
        due = _list_bank_holidays_add(holidays, due, 1)
    return {"items": _check_availability_items(env, holidays, collection, due, piece_ids, set_ids, accessory_ids)}
