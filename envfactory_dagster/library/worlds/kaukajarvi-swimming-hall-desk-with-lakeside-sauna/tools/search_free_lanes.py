import datetime


def _desk_add_days(day, days):
    return (datetime.date.fromisoformat(day) + datetime.timedelta(days=days)).isoformat()


def _desk_days_until(env, day):
    """Whole days from today to a day."""
    return (datetime.date.fromisoformat(day) - datetime.date.fromisoformat(env.now[:10])).days


def _desk_lane_day(env, day):
    """The hours of the hall on a day for which loose turns are on sale now."""
    ahead = _desk_days_until(env, day)
    if ahead < 0 or (ahead == 0 and env.now[11:] > "10:00:00"):
        raise env.Error(f"loose turns for {day} were sold until 10:00 that day")
    if ahead > 14:
        raise env.Error(f"loose turns for {day} are sold from {_desk_add_days(day, -14)} on")
    weekday = datetime.date.fromisoformat(day).isoweekday()
    return env.one("SELECT id, hall_opens, hall_closes FROM opening_hours WHERE id = ?", [weekday])


def _desk_lane_refusal(env, hours, day, lane, start, end):
    """Why one lane hour cannot be booked, or None."""
    if start < hours["hall_opens"] or end > hours["hall_closes"]:
        return f"the hall is open {hours['hall_opens']}–{hours['hall_closes']} on {day}"
    if lane == 1 and hours["id"] <= 5 and start < "17:00":
        return "lane 1 is never reserved before 17:00 on weekdays"
    booked = env.one(
        "SELECT COALESCE(SUM(lane = :lane), 0) AS same, COUNT(DISTINCT lane) AS lanes FROM lane_bookings WHERE status <> 'cancelled' AND starts_at < :b AND ends_at > :a",
        {"lane": lane, "a": f"{day}T{start}:00", "b": f"{day}T{end}:00"},
    )
    if booked["same"] > 0:
        return f"lane {lane} is taken on {day} at {start}"
    if booked["lanes"] >= 4:
        return f"four lanes are booked on {day} at {start}, and two always stay with the public"
    return None


def search_free_lanes(env, *, day: str, first_start_time: str | None = None, last_start_time: str | None = None, lane: int | None = None) -> dict:
    """Lists the lane hours of a day that could be booked as loose turns."""
    hours = _desk_lane_day(env, day)
    free = []
    for hour in range(0, 23):
        start, end = f"{hour:02d}:00", f"{hour + 1:02d}:00"
        if first_start_time is not None and start < first_start_time:
            continue
        if last_start_time is not None and start > last_start_time:
            continue
        if f"{day}T{start}:00" <= env.now:
            continue
        for number in range(1, 7):
            if lane is not None and number != lane:
                continue
            if _desk_lane_refusal(env, hours, day, number, start, end) is None:
                free.append({"lane": number, "starts_at": f"{day}T{start}:00", "ends_at": f"{day}T{end}:00"})
    return {"day": day, "hall_opens": hours["hall_opens"], "hall_closes": hours["hall_closes"], "free": free}
