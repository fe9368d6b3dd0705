import datetime


def _search_simulator_times_check_day(env, day):
    """Refuses a day on which the simulator does not run."""
    calendar = env.one("SELECT is_public_holiday, is_closed FROM calendar_days WHERE day = ?", [day])
    if calendar is None:
        raise env.Error(f"the calendar does not show {day}")
    if datetime.date.fromisoformat(day).weekday() == 6 or calendar["is_public_holiday"] or calendar["is_closed"]:
        raise env.Error(f"the simulator does not run on {day}: it is a Sunday, a public holiday or a closed day")


def search_simulator_times(env, *, day: str) -> dict:
    """Lists the hours at which the simulator is free on a day."""
    _search_simulator_times_check_day(env, day)
    taken = {row["starts_at"] for row in env.query(
        "SELECT starts_at FROM simulator_sessions WHERE substr(starts_at, 1, 10) = ? AND status <> 'cancelled' ORDER BY starts_at", [day])}
    times = [f"{day}T{hour:02d}:00:00" for hour in range(8, 20)]
    return {"simulator_times": [{"starts_at": at} for at in times if at > env.now and at not in taken]}
