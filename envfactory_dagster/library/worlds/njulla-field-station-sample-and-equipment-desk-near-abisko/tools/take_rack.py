TAKE_RACK_ALWAYS = 2


TAKE_RACK_WITH_SIGNATURE = 3


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


def _desk_place(env, store_place_id):
    place = env.files.get("data/store_places.csv", store_place_id)
    if place is None:
        raise env.Error(f"there is no rack or box {store_place_id}")
    return place


def take_rack(env, *, project_id: int, store_place_id: int, until_on: str) -> dict:
    """Takes a free rack for a project from today."""
    project = _desk_own_project(env, project_id)
    place = _desk_place(env, store_place_id)
    if place["kind"] != "rack":
        raise env.Error(f"{place['code']} is a shared box and is not taken by a project")
    if env.files.count("bookings/2026.json", {"store_place_id": store_place_id, "status": "out"}) > 0:
        raise env.Error(f"rack {place['code']} is held by a project already")
    today = env.now[:10]
    if until_on < today:
        raise env.Error(f"{until_on} has passed: a rack is taken until today or later")
    if until_on > project["ends_on"]:
        raise env.Error(f"a rack is given back by the last day of {project['code']}, {project['ends_on']}")
    out = env.files.records("bookings/2026.json", {"project_id": project_id, "status": "out"})
    held = len([one for one in out if one["store_place_id"] is not None])
    if held >= TAKE_RACK_WITH_SIGNATURE:
        raise env.Error(f"{project['code']} holds {held} racks, and no project gets more than 3")
    if held >= TAKE_RACK_ALWAYS:
        if project["rack_signed_on"] is None:
            raise env.Error(f"{project['code']} holds 2 racks, and its leader has not signed for a third")
        for one in out:
            if _desk_is_overdue(env, one):
                raise env.Error(f"{project['code']} gets no third rack while its booking {one['id']} is overdue")
    key = env.files.append("bookings/2026.json", {
        "project_id": project_id,
        "equipment_id": None,
        "store_place_id": store_place_id,
        "site_id": None,
        "driver_id": None,
        "snow_depth_cm": None,
        "booked_by_id": env.user_id,
        "booked_at": env.now,
        "from_on": today,
        "until_on": until_on,
        "status": "out",
        "out_at": env.now,
        "back_at": None,
        "cancelled_at": None,
    })
    return {"booking": _desk_booking_views(env, [env.files.get("bookings/2026.json", key)])[0]}
