import datetime


def search_lesson_times(env, *, instructor_id: int, transmission: str, first_day: str, last_day: str) -> dict:
    """Lists the times at which an instructor and a car are free."""
    instructor = env.one("SELECT id, works_from, works_until FROM instructors WHERE id = ?", [instructor_id])
    if instructor is None:
        raise env.Error(f"there is no instructor {instructor_id}")
    if last_day < first_day:
        raise env.Error("the last day must not lie before the first day")
    if (datetime.date.fromisoformat(last_day) - datetime.date.fromisoformat(first_day)).days > 6:
        raise env.Error("the last day may be at most 6 days after the first day")
    cars = env.query(
        "SELECT id, name, motorway_allowed FROM cars WHERE transmission = ? AND (only_instructor_id IS NULL OR only_instructor_id = ?)"
        " ORDER BY id", [transmission, instructor_id])
    lessons = env.query(
        "SELECT instructor_id, car_id, starts_at FROM driving_lessons WHERE status IN ('booked', 'driven', 'no_show')"
        " AND substr(starts_at, 1, 10) BETWEEN ? AND ? ORDER BY starts_at, id", [first_day, last_day])
    workshop = env.query(
        "SELECT car_id, starts_on, ends_on FROM workshop_periods WHERE ends_on >= ? AND starts_on <= ? ORDER BY id", [first_day, last_day])
    half, length = datetime.timedelta(minutes=30), datetime.timedelta(minutes=90)
    times = []
    for row in env.query(
        "SELECT day, sunset_time FROM calendar_days WHERE day BETWEEN ? AND ? AND is_public_holiday = ? AND is_closed = ? ORDER BY day",
        [first_day, last_day, 0, 0]):
        day = row["day"]
        if datetime.date.fromisoformat(day).weekday() == 6:
            continue
        start = datetime.datetime.fromisoformat(day + "T" + instructor["works_from"] + ":00")
        until = datetime.datetime.fromisoformat(day + "T" + instructor["works_until"] + ":00")
        if start.minute % 30:
            start += datetime.timedelta(minutes=30 - start.minute % 30)
        while start + length <= until:
            at = start.isoformat()
            near = [one for one in lessons if abs(datetime.datetime.fromisoformat(one["starts_at"]) - start) < length]
            if at > env.now and not any(one["instructor_id"] == instructor_id for one in near):
                free = [
                    dict(car) for car in cars
                    if not any(one["car_id"] == car["id"] for one in near)
                    and not any(one["car_id"] == car["id"] and one["starts_on"] <= day <= one["ends_on"] for one in workshop)
                ]
                if free:
                    times.append({"starts_at": at, "after_sunset": 1 if at[11:16] > row["sunset_time"] else 0, "cars": free})
            start += half
    return {"lesson_times": times}
