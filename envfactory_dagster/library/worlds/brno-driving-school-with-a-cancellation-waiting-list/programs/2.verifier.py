DAYS = ("2025-11-18", "2025-11-19", "2025-11-20", "2025-11-21")


def _free_cars(world, instructor, day):
    """The automatic cars in which the instructor could take a lesson at 17:00 on the day."""
    calendar = world.initial.one(
        "SELECT id FROM calendar_days WHERE day = ? AND is_public_holiday = 0 AND is_closed = 0", [day]
    )
    if calendar is None or instructor["works_from"] > "17:00" or instructor["works_until"] < "18:30":
        return []
    near = world.initial.query(
        "SELECT instructor_id, car_id FROM driving_lessons WHERE status IN ('booked', 'driven', 'no_show')"
        " AND starts_at > ? AND starts_at < ?", [day + "T15:30:00", day + "T18:30:00"]
    )
    if any(row["instructor_id"] == instructor["id"] for row in near):
        return []
    cars = world.initial.query(
        "SELECT id FROM cars WHERE transmission = 'automatic' AND (only_instructor_id IS NULL OR only_instructor_id = ?)"
        " AND id NOT IN (SELECT car_id FROM workshop_periods WHERE ? BETWEEN starts_on AND ends_on)",
        [instructor["id"], day]
    )
    return [car["id"] for car in cars if not any(row["car_id"] == car["id"] for row in near)]


def _wanted(world):
    """The instructor with the most days, the first of these days and the cars for it."""
    best = None
    for instructor in world.initial.query("SELECT * FROM instructors ORDER BY id"):
        days = [(day, _free_cars(world, instructor, day)) for day in DAYS]
        days = [pair for pair in days if pair[1]]
        if days and (best is None or len(days) > best[3]):
            best = (instructor, days[0][0], days[0][1], len(days))
    return best


def _pack(world):
    return world.initial.one(
        "SELECT id FROM course_packages WHERE pupil_id = 1 AND status = 'active' AND kind = 'five_top_up_lessons'"
    )["id"]


def _new(world):
    return [c["after"] for c in world.changes if c["table"] == "driving_lessons" and c["before"] is None]


def goal_books_with_the_right_instructor(world) -> bool:
    """Books the lesson with the instructor who can do 17:00 on the most days."""
    return any(row["instructor_id"] == _wanted(world)[0]["id"] for row in _new(world))


def goal_books_the_first_day_at_five(world) -> bool:
    """Books an ordinary lesson at 17:00 on the first of those days, in an automatic that is free, on the pack of five."""
    instructor, day, cars, _ = _wanted(world)
    return any(
        row["pupil_id"] == 1 and row["kind"] == "ordinary" and row["status"] == "booked"
        and row["starts_at"] == day + "T17:00:00" and row["car_id"] in cars and row["course_package_id"] == _pack(world)
        for row in _new(world)
    )


def goal_says_who(world) -> bool:
    """Says who the instructor is."""
    return world.report.says("instructor", _wanted(world)[0]["name"])


def goal_says_the_day(world) -> bool:
    """Says the day of the lesson."""
    return world.report.says("lesson_day", _wanted(world)[1])


def guard_changes_one_new_lesson_only(world) -> bool:
    """Nothing changes but one new lesson of the pupil's."""
    return len(world.changes) <= 1 and all(
        c["table"] == "driving_lessons" and c["before"] is None and c["after"]["pupil_id"] == 1 for c in world.changes
    )


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")
