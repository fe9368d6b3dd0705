import datetime


DESK_LOAN_DAYS = 7


DESK_LOAN_DAYS_HIGH_LAKE = 14


DESK_HIGH_LAKE_ABOVE_M = 800


DESK_SNOWMOBILE_BY = "16:00:00"


DESK_COURSE_YEARS = 2


DESK_LAKE_CORERS = ("gravity_corer", "piston_corer", "freeze_corer")


def _desk_day(day, by):
    return (datetime.date.fromisoformat(day) + datetime.timedelta(days=by)).isoformat()


def _desk_days(first, last):
    return (datetime.date.fromisoformat(last) - datetime.date.fromisoformat(first)).days + 1


def _desk_project(env, project_id):
    project = env.files.get("data/projects.yaml", project_id)
    if project is None:
        raise env.Error(f"there is no project {project_id}")
    return project


def _desk_is_technician(env):
    person = env.files.get("data/people.json", env.user_id)
    return person is not None and person["role"] == "technician"


def _desk_own_project(env, project_id):
    project = _desk_project(env, project_id)
    if not _desk_is_technician(env):
        mine = env.files.count("data/project_members.csv", {"project_id": project_id, "person_id": env.user_id})
        if mine == 0:
            raise env.Error(f"{project['code']} is not a project of yours: only its members and the technician may do this")
    return project


def _desk_is_overdue(env, one):
    return one["status"] == "out" and one["until_on"] < env.now[:10]


def _desk_booking_views(env, bookings):
    people = {one["id"]: one for one in env.files.records("data/people.json")}
    projects = {one["id"]: one for one in env.files.records("data/projects.yaml")}
    sites = {one["id"]: one for one in env.files.records("data/sites.csv")}
    places = {one["id"]: one for one in env.files.records("data/store_places.csv")}
    equipment = {one["id"]: one for one in env.files.records("data/equipment.json")}
    views = []
    for one in bookings:
        views.append({
            "id": one["id"],
            "project_id": one["project_id"],
            "project_code": projects[one["project_id"]]["code"],
            "equipment_id": one["equipment_id"],
            "equipment_name": None if one["equipment_id"] is None else equipment[one["equipment_id"]]["name"],
            "store_place_id": one["store_place_id"],
            "store_place_code": None if one["store_place_id"] is None else places[one["store_place_id"]]["code"],
            "site_id": one["site_id"],
            "site_name": None if one["site_id"] is None else sites[one["site_id"]]["name"],
            "driver_id": one["driver_id"],
            "driver_name": None if one["driver_id"] is None else people[one["driver_id"]]["name"],
            "snow_depth_cm": one["snow_depth_cm"],
            "booked_by_id": one["booked_by_id"],
            "booked_by_name": people[one["booked_by_id"]]["name"],
            "booked_at": one["booked_at"],
            "from_on": one["from_on"],
            "until_on": one["until_on"],
            "status": one["status"],
            "out_at": one["out_at"],
            "back_at": one["back_at"],
            "cancelled_at": one["cancelled_at"],
            "overdue": _desk_is_overdue(env, one),
        })
    return views


def _desk_booking(env, booking_id):
    booking = env.files.get("bookings/2026.json", booking_id)
    if booking is None:
        raise env.Error(f"there is no booking {booking_id}")
    return booking


def _desk_equipment(env, equipment_id):
    thing = env.files.get("data/equipment.json", equipment_id)
    if thing is None:
        raise env.Error(f"there is no equipment {equipment_id}")
    return thing


def _desk_open_breakdowns(env, equipment_id):
    return env.files.count("notes/2026.jsonl", {"kind": "breakdown", "equipment_id": equipment_id, "status": "open"})


def _desk_check_days(env, project, thing, site, from_on, until_on):
    if until_on < from_on:
        raise env.Error("the last day of a loan cannot be before its first day")
    if until_on > project["ends_on"]:
        raise env.Error(f"no loan goes past the last day of {project['code']}, {project['ends_on']}")
    most = DESK_LOAN_DAYS
    corer = thing["kind"] in DESK_LAKE_CORERS or thing["kind"] == "russian_corer"
    if corer and site["kind"] == "lake" and site["altitude_m"] > DESK_HIGH_LAKE_ABOVE_M:
        most = DESK_LOAN_DAYS_HIGH_LAKE
    days = _desk_days(from_on, until_on)
    if days > most:
        raise env.Error(f"a loan of {thing['name']} for {site['name']} runs at most {most} days, both ends counted, and this would be {days}")


def _desk_check_notice(env, from_on):
    if env.now > _desk_day(from_on, -1) + "T" + DESK_SNOWMOBILE_BY:
        raise env.Error(f"a snowmobile for {from_on} must be booked by 16:00 on the day before")


def _desk_check_driver(env, project, driver_id, until_on):
    driver = env.files.get("data/people.json", driver_id)
    if driver is None:
        raise env.Error(f"there is no person {driver_id}")
    if env.files.count("data/project_members.csv", {"project_id": project["id"], "person_id": driver_id}) == 0:
        raise env.Error(f"{driver['name']} is not a member of {project['code']} and cannot drive for it")
    if driver["course_on"] is None:
        raise env.Error(f"{driver['name']} has taken no snowmobile course")
    ends = str(int(driver["course_on"][:4]) + DESK_COURSE_YEARS) + driver["course_on"][4:]
    if until_on >= ends:
        raise env.Error(f"the course of {driver['name']} on {driver['course_on']} is not less than 24 months old on {until_on}: telephone the office for a refresher course")


def _desk_check_free(env, thing, from_on, until_on, but_not):
    for other in env.files.records("bookings/2026.json", {"equipment_id": thing["id"]}):
        if other["id"] == but_not or other["status"] not in ("booked", "out"):
            continue
        if other["from_on"] <= until_on and other["until_on"] >= from_on:
            raise env.Error(f"{thing['name']} is booked or lent from {other['from_on']} to {other['until_on']}")


def _desk_site(env, site_id):
    site = env.files.get("data/sites.csv", site_id)
    if site is None:
        raise env.Error(f"there is no site {site_id}")
    return site


def change_booking(env, *, booking_id: int, from_on: str = None, until_on: str = None, driver_id: int = None) -> dict:
    """Changes dates or driver of a booking."""
    booking = _desk_booking(env, booking_id)
    project = _desk_own_project(env, booking["project_id"])
    if from_on is None and until_on is None and driver_id is None:
        raise env.Error("say which day or which driver is to change")
    if booking["status"] in ("back", "cancelled"):
        raise env.Error(f"booking {booking_id} is {booking['status']} and stays as it is")
    today = env.now[:10]
    out = booking["status"] == "out"
    if out and (from_on is not None or driver_id is not None):
        raise env.Error("of what is out only the last day may change")
    if out and booking["until_on"] < today:
        raise env.Error(f"the last day, {booking['until_on']}, has passed and cannot change any more")
    first = booking["from_on"] if from_on is None else from_on
    last = booking["until_on"] if until_on is None else until_on
    driver = booking["driver_id"] if driver_id is None else driver_id
    if from_on is not None and from_on < today:
        raise env.Error(f"{from_on} has passed: a loan begins today or later")
    if last < today:
        raise env.Error(f"{last} has passed: the last day is today or later")
    if booking["equipment_id"] is None:
        if last > project["ends_on"]:
            raise env.Error(f"a rack is given back by the last day of {project['code']}, {project['ends_on']}")
    else:
        thing = _desk_equipment(env, booking["equipment_id"])
        site = _desk_site(env, booking["site_id"])
        _desk_check_days(env, project, thing, site, first, last)
        if thing["kind"] == "snowmobile":
            _desk_check_driver(env, project, driver, last)
            if first != booking["from_on"]:
                _desk_check_notice(env, first)
        elif driver_id is not None:
            raise env.Error("only a snowmobile has a driver")
        if last > booking["until_on"] and _desk_open_breakdowns(env, thing["id"]) > 0:
            raise env.Error(f"{thing['name']} has an open breakdown note and cannot be kept longer")
        _desk_check_free(env, thing, first, last, booking_id)
    env.files.update("bookings/2026.json", booking_id, {"from_on": first, "until_on": last, "driver_id": driver})
    return {"booking": _desk_booking_views(env, [env.files.get("bookings/2026.json", booking_id)])[0]}
