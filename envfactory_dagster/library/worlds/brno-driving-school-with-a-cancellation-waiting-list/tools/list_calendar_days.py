def list_calendar_days(env, *, first_day: str, last_day: str) -> dict:
    """Lists days of the wall calendar."""
    if last_day < first_day:
        raise env.Error("the last day must not lie before the first day")
    return {"calendar_days": env.query(
        "SELECT day, sunset_time, is_public_holiday, is_closed FROM calendar_days WHERE day >= ? AND day <= ? ORDER BY day",
        [first_day, last_day])}
