def _desk_is_technician(env):
    person = env.files.get("data/people.json", env.user_id)
    return person is not None and person["role"] == "technician"


def _desk_only_technician(env):
    if not _desk_is_technician(env):
        raise env.Error("only the technician does this: telephone the desk")


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


def take_back_equipment(env, *, booking_id: int) -> dict:
    """Takes back the equipment of a loan that is out."""
    _desk_only_technician(env)
    booking = _desk_booking(env, booking_id)
    if booking["equipment_id"] is None:
        raise env.Error("a rack is given back, not taken back like equipment")
    if booking["status"] != "out":
        raise env.Error(f"booking {booking_id} is {booking['status']}, so there is nothing to take back")
    env.files.update("bookings/2026.json", booking_id, {"status": "back", "back_at": env.now})
    return {"booking": _desk_booking_views(env, [env.files.get("bookings/2026.json", booking_id)])[0]}
