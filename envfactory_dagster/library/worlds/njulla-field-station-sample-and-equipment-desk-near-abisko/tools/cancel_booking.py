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


def cancel_booking(env, *, booking_id: int) -> dict:
    """Cancels a loan that has not been handed out."""
    booking = _desk_booking(env, booking_id)
    _desk_own_project(env, booking["project_id"])
    if booking["equipment_id"] is None:
        raise env.Error("a rack is not cancelled, it is given back")
    if booking["status"] != "booked":
        raise env.Error(f"booking {booking_id} is {booking['status']} and cannot be cancelled")
    env.files.update("bookings/2026.json", booking_id, {"status": "cancelled", "cancelled_at": env.now})
    return {"booking": _desk_booking_views(env, [env.files.get("bookings/2026.json", booking_id)])[0]}
