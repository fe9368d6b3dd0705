import datetime

END = "2025-11-28"


def _hours(world):
    """The hours confirmed and those booked up to the last day of the course."""
    return world.initial.one(
        "SELECT 2 * COUNT(*) AS hours FROM driving_lessons WHERE pupil_id = 1"
        " AND (confirmed_at IS NOT NULL OR (status = 'booked' AND substr(starts_at, 1, 10) <= ?))", [END]
    )["hours"]


def _last(world):
    return world.initial.one(
        "SELECT * FROM driving_lessons WHERE pupil_id = 1 AND status = 'booked' ORDER BY starts_at DESC LIMIT 1"
    )


def _ondrej(world):
    return world.initial.one("SELECT * FROM instructors WHERE name = 'Ondřej Vrba'")


def _first_start(world):
    """The first half hour after sunset at which Ondřej and the automatic are free once the last lesson is gone."""
    last, ondrej = _last(world), _ondrej(world)
    day = last["starts_at"][:10]
    sunset = world.initial.one("SELECT sunset_time FROM calendar_days WHERE day = ?", [day])["sunset_time"]
    taken = world.initial.query(
        "SELECT starts_at FROM driving_lessons WHERE substr(starts_at, 1, 10) = ? AND status IN ('booked', 'driven', 'no_show')"
        " AND id <> ? AND (instructor_id = ? OR car_id = ?)", [day, last["id"], ondrej["id"], _car(world)]
    )
    at = datetime.datetime.fromisoformat(day + "T" + ondrej["works_from"] + ":00")
    length = datetime.timedelta(minutes=90)
    while True:
        busy = any(abs(datetime.datetime.fromisoformat(row["starts_at"]) - at) < length for row in taken)
        if at.isoformat()[11:16] > sunset and not busy:
            return at.isoformat()
        at += datetime.timedelta(minutes=30)


def _car(world):
    return world.initial.one("SELECT id FROM cars WHERE transmission = 'automatic'")["id"]


def _swap(world):
    return _hours(world) >= 28


def _new_lessons(world):
    return [c["after"] for c in world.changes if c["table"] == "driving_lessons" and c["before"] is None]


def goal_drops_the_last_lesson(world) -> bool:
    """The last lesson booked is cancelled when the hours suffice."""
    row = world.final.one("SELECT * FROM driving_lessons WHERE id = ?", [_last(world)["id"]])
    return _swap(world) and row["status"] == "cancelled" and row["ended_by"] == "pupil"


def goal_books_the_dark_lesson(world) -> bool:
    """A dark lesson with Ondřej is booked that day as soon after sunset as he is free, on the same package."""
    last = _last(world)
    return _swap(world) and any(
        row["pupil_id"] == 1 and row["kind"] == "dark" and row["status"] == "booked"
        and row["instructor_id"] == _ondrej(world)["id"] and row["car_id"] == _car(world)
        and row["course_package_id"] == last["course_package_id"] and row["starts_at"] == _first_start(world)
        for row in _new_lessons(world)
    )


def goal_says_the_hours(world) -> bool:
    """Says how many hours it comes to by the end of the course."""
    return world.report.says("hours_by_course_end", _hours(world))


def goal_says_when_the_dark_lesson_begins(world) -> bool:
    """Says at what time the dark lesson begins."""
    return world.report.says("dark_lesson_start", _first_start(world)[11:16] if _swap(world) else None)


def guard_asks_for_no_extension(world) -> bool:
    """No extension is asked for when the hours suffice."""
    return not _swap(world) or not any(c["table"] in ("charges", "course_packages") for c in world.changes)


def guard_changes_the_two_lessons_only(world) -> bool:
    """Nothing changes but the status of the last lesson and one new lesson."""
    old = [c for c in world.changes if c["before"] is not None]
    columns = ("status", "ended_by", "cancelled_at")
    return all(c["table"] == "driving_lessons" for c in world.changes) and len(_new_lessons(world)) <= 1 and all(
        c["after"] is not None and c["before"]["id"] == _last(world)["id"]
        and all(c["before"][k] == c["after"][k] or k in columns for k in c["before"])
        for c in old
    )


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")
