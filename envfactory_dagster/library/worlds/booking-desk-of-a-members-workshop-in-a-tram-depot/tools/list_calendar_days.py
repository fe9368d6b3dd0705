from datetime import date, timedelta


def _list_calendar_days_parse(env, text):
    try:
        if len(text) != 10:
            raise ValueError(text)
        return date.fromisoformat(text)
    except ValueError:
        raise env.Error("there is no day " + text + "; write it as 2026-05-07")


def _list_calendar_days_stretch(env, first_day, last_day):
    first = None if first_day is None else _list_calendar_days_parse(env, first_day)
    last = None if last_day is None else _list_calendar_days_parse(env, last_day)
    if first is not None and last is not None and last < first:
        raise env.Error("the last day lies before the first day")


def _list_calendar_days_show(env, day):
    """What the workshop is on a day: open or closed, its hours, dust or spark."""
    weekday = date.fromisoformat(day).weekday()
    closing = env.one("SELECT reason FROM closing_days WHERE day = ?", [day])
    swap = env.one("SELECT becomes FROM day_swaps WHERE day = ?", [day])
    if closing is not None or weekday == 0:
        reason = closing["reason"] if closing is not None else "Monday is maintenance"
        return {"day": day, "is_open": False, "closed_reason": reason, "opens_at": None,
                "closes_at": None, "day_kind": None, "swapped": False}
    usual = "dust" if weekday in (1, 3, 5) else "spark"
    opens, closes = ("10:00:00", "17:00:00") if weekday == 6 else ("09:00:00", "22:00:00")
    return {"day": day, "is_open": True, "closed_reason": None, "opens_at": day + "T" + opens,
            "closes_at": day + "T" + closes, "day_kind": usual if swap is None else swap["becomes"],
            "swapped": swap is not None}


def list_calendar_days(env, *, first_day: str, last_day: str) -> dict:
    """Shows day by day whether and when the workshop is open, and dust or spark."""
    _list_calendar_days_stretch(env, first_day, last_day)
    first, last = date.fromisoformat(first_day), date.fromisoformat(last_day)
    if (last - first).days > 61:
        raise env.Error("that stretch is longer than 62 days")
    return {"days": [_list_calendar_days_show(env, (first + timedelta(days=n)).isoformat())
                     for n in range((last - first).days + 1)]}
