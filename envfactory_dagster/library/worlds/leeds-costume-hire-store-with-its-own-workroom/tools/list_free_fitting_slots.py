from datetime import date

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


def list_free_fitting_slots(env, *, day: str) -> dict:
    """Lists the free fitting slots of one day."""
    wanted = _list_bank_holidays_day(env, day)
    holidays = _list_bank_holidays_all(env)
    slots = []
    if _list_bank_holidays_works(holidays, wanted):
        for time in BOOK_FITTING_TIMES:
            starts_at = wanted + time
            taken = env.one("SELECT id FROM fittings WHERE starts_at = ? AND status <> 'cancelled'", [starts_at])
            if taken is None and starts_at > env.now:
                slots.append({"starts_at": starts_at})
    return {"slots": slots}
