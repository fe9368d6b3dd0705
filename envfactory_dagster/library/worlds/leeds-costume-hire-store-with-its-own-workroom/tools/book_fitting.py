from datetime import date, timedelta

BOOK_FITTING_TIMES = ("T09:30:00", "T10:15:00", "T11:00:00", "T13:30:00", "T14:15:00", "T15:00:00")


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


def _list_bank_holidays_between(holidays: list, first: str, last: str) -> int:
    """How many working days lie between two days, neither of them counted."""
    count = 0
    moving = date.fromisoformat(first) + timedelta(days=1)
    while moving.isoformat() < last:
        if _list_bank_holidays_works(holidays, moving.isoformat()):
            count = count + 1
        moving = moving + timedelta(days=1)
    return count


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


def _book_fitting_check_slot(env, holidays: list, hire: dict, piece_id: int, starts_at: str) -> None:
    """Refuses a slot that a fitting for a piece of a hire may not have."""
    if len(starts_at) != 19 or starts_at[10:] not in BOOK_FITTING_TIMES:
        raise env.Error("fittings begin at 09:30, 10:15, 11:00, 13:30, 14:15 or 15:00")
    day = _list_bank_holidays_day(env, starts_at[:10])
    if starts_at <= env.now:
        raise env.Error("that slot lies in the past")
    if not _list_bank_holidays_works(holidays, day):
        raise env.Error(f"{day} is not a working day, so there are no fittings")
    if day >= hire["collection_date"]:
        raise env.Error("a fitting must come before the day of collection")
    piece = env.one("SELECT garment, is_class_p FROM pieces WHERE id = ?", [piece_id])
    needs = piece["garment"] in ("corset", "boned_bodice", "crinoline", "tailcoat", "armour") or piece["is_class_p"] == 1
    days = _list_bank_holidays_between(holidays, day, hire["collection_date"])
    if needs and days < 10:
        raise env.Error(f"this piece must be fitted at least 10 working days before collection, and {day} leaves {days}")
    taken = env.one("SELECT id FROM fittings WHERE starts_at = ? AND status <> 'cancelled'", [starts_at])
    if taken is not None:
        raise env.Error("that slot is taken")


def _set_line_wearer_live(env, hire: dict) -> None:
    """Refuses a hire that is neither confirmed nor on a hold that still runs."""
    if hire["status"] not in ("held", "confirmed"):
        raise env.Error(f"that hire is {hire['status']}; this can only be done while it is held or confirmed")
    if hire["status"] == "held" and hire["hold_lapses_at"] <= env.now:
        raise env.Error(f"that hold lapsed at {hire['hold_lapses_at']}")


def book_fitting(env, *, hire_line_id: int, starts_at: str) -> dict:
    """Books a free fitting slot for the wearer of a line."""
    line = _get_hire_line_row(env, hire_line_id)
    hire = _get_hire_row(env, line["hire_id"])
    _set_line_wearer_live(env, hire)
    if line["status"] != "active":
        raise env.Error("that line is cancelled")
    if line["piece_id"] is None or line["wearer_person_id"] is None:
        raise env.Error("that line has no wearer to be fitted")
    booked = env.one("SELECT starts_at FROM fittings WHERE hire_line_id = ? AND status = 'booked' ORDER BY id LIMIT 1", [hire_line_id])
    if booked is not None:
        raise env.Error(f"a fitting is booked for that line already, at {booked['starts_at']}")
    _book_fitting_check_slot(env, _list_bank_holidays_all(env), hire, line["piece_id"], starts_at)
    earlier = env.one(
        "SELECT COUNT(*) AS fittings FROM fittings f JOIN hire_lines l ON l.id = f.hire_line_id "
        "WHERE l.hire_id = ? AND f.person_id = ? AND f.status <> 'cancelled'",
        [hire["id"], line["wearer_person_id"]],
    )
    fee = 0 if earlier["fittings"] == 0 else 1200
    fitting_id = env.insert(
        "INSERT INTO fittings (hire_line_id, person_id, starts_at, status, fee_cents, booked_at) VALUES (?, ?, ?, 'booked', ?, ?)",
        [hire_line_id, line["wearer_person_id"], starts_at, fee, env.now],
    )
    return {
        "id": fitting_id,
        "hire_line_id": hire_line_id,
        "person_id": line["wearer_person_id"],
        "starts_at": starts_at,
        "status": "booked",
        "fee_cents": fee,
        "booked_at": env.now,
    }
