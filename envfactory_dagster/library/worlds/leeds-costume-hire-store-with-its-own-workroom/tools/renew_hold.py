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


def _place_hold_season(env) -> bool:
    """Whether today lies from 1 November to 6 January."""
    return env.now[5:10] >= "11-01" or env.now[5:10] <= "01-06"


def renew_hold(env, *, hire_id: int) -> dict:
    """Renews a hold for 5 more working days."""
    hire = _get_hire_row(env, hire_id)
    if hire["status"] != "held":
        raise env.Error(f"that hire is {hire['status']}, not on hold")
    if hire["hold_lapses_at"] <= env.now:
        raise env.Error(f"that hold lapsed at {hire['hold_lapses_at']}")
    if hire["hold_renewed_at"] is not None:
        raise env.Error("a hold may be renewed only once, and this one has been")
    if _place_hold_season(env):
        raise env.Error("holds are not renewed from 1 November to 6 January")
    lapses_at = _list_bank_holidays_add(_list_bank_holidays_all(env), hire["hold_lapses_at"][:10], 5) + "T16:00:00"
    env.execute("UPDATE hires SET hold_renewed_at = ?, hold_lapses_at = ? WHERE id = ?", [env.now, lapses_at, hire["id"]])
    return {"id": hire["id"], "status": "held", "hold_lapses_at": lapses_at, "hold_renewed_at": env.now}
