from datetime import date


def _list_bank_holidays_day(env, day: str) -> str:
    """A day as it stands, refused when the calendar has no such day."""
    try:
        return date.fromisoformat(day).isoformat()
    except ValueError:
        raise env.Error(f"{day} is not a day of the calendar; days look like 2024-05-10")


def list_bank_holidays(env, *, first_day: str, last_day: str) -> dict:
    """Lists the bank holidays of a period."""
    first = _list_bank_holidays_day(env, first_day)
    last = _list_bank_holidays_day(env, last_day)
    if last < first:
        raise env.Error("the last day comes before the first day")
    return {"bank_holidays": env.query("SELECT id, day, name FROM bank_holidays WHERE day >= ? AND day <= ? ORDER BY day, id", [first, last])}
