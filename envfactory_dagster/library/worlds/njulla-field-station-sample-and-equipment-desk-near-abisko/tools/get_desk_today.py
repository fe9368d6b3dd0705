import datetime


DESK_FIRST_TEST_DAY = "2026-01-07"


DESK_DAYS_BETWEEN_TESTS = 14


DESK_CUT_UNTIL = "15:00:00"


DESK_DRY_ICE_ENDS = "18:00:00"


def _desk_day(day, by):
    return (datetime.date.fromisoformat(day) + datetime.timedelta(days=by)).isoformat()


def _desk_days(first, last):
    return (datetime.date.fromisoformat(last) - datetime.date.fromisoformat(first)).days + 1


def _desk_is_test_day(day):
    return day >= DESK_FIRST_TEST_DAY and (_desk_days(DESK_FIRST_TEST_DAY, day) - 1) % DESK_DAYS_BETWEEN_TESTS == 0


def _desk_dry_ice_until(moment):
    day = moment[:10]
    wednesday = _desk_day(day, 2 - datetime.date.fromisoformat(day).weekday())
    until = _desk_day(wednesday, 1) + "T" + DESK_DRY_ICE_ENDS
    if _desk_is_test_day(wednesday) and moment <= until:
        return until
    return None


def _desk_person_view(one):
    return {
        "id": one["id"],
        "name": one["name"],
        "role": one["role"],
        "home": one["home"],
        "phone": one["phone"],
        "course_on": one["course_on"],
    }


def get_desk_today(env) -> dict:
    """Shows the moment, the person who is signed in and the next generator test."""
    day = env.now[:10]
    if env.now[11:] >= DESK_CUT_UNTIL:
        day = _desk_day(day, 1)
    while not _desk_is_test_day(day):
        day = _desk_day(day, 1)
    until = _desk_dry_ice_until(env.now)
    return {
        "now": env.now,
        "person": _desk_person_view(env.files.get("data/people.json", env.user_id)),
        "next_test_on": day,
        "kiruna_boxes_on_dry_ice": until is not None,
        "on_dry_ice_until": until,
    }
