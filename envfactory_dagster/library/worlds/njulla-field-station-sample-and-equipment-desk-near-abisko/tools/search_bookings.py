def _desk_project(env, project_id):
    project = env.files.get("data/projects.yaml", project_id)
    if project is None:
        raise env.Error(f"there is no project {project_id}")
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


def _desk_equipment(env, equipment_id):
    thing = env.files.get("data/equipment.json", equipment_id)
    if thing is None:
        raise env.Error(f"there is no equipment {equipment_id}")
    return thing


def _desk_place(env, store_place_id):
    place = env.files.get("data/store_places.csv", store_place_id)
    if place is None:
        raise env.Error(f"there is no rack or box {store_place_id}")
    return place


def search_bookings(env, *, project_id: int = None, equipment_id: int = None, store_place_id: int = None,
                    status: str = None, overdue_only: bool = False, first_day: str = None, last_day: str = None) -> dict:
    """Finds bookings of equipment and racks."""
    if project_id is not None:
        _desk_project(env, project_id)
    if equipment_id is not None:
        _desk_equipment(env, equipment_id)
    if store_place_id is not None:
        _desk_place(env, store_place_id)
    if first_day is not None and last_day is not None and last_day < first_day:
        raise env.Error("last_day cannot be before first_day")
    found = []
    for one in env.files.records("bookings/2026.json"):
        if project_id is not None and one["project_id"] != project_id:
            continue
        if equipment_id is not None and one["equipment_id"] != equipment_id:
            continue
        if store_place_id is not None and one["store_place_id"] != store_place_id:
            continue
        if status is not None and one["status"] != status:
            continue
        if overdue_only and not _desk_is_overdue(env, one):
            continue
        if first_day is not None and one["until_on"] < first_day:
            continue
        if last_day is not None and one["from_on"] > last_day:
            continue
        found.append(one)
    return {"bookings": _desk_booking_views(env, sorted(found, key=lambda one: (one["from_on"], one["id"])))}
