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


def _desk_note_views(env, notes):
    people = {one["id"]: one for one in env.files.records("data/people.json")}
    equipment = {one["id"]: one for one in env.files.records("data/equipment.json")}
    views = []
    for one in sorted(notes, key=lambda note: (note["written_at"], note["id"])):
        views.append({
            "id": one["id"],
            "kind": one["kind"],
            "equipment_id": one["equipment_id"],
            "equipment_name": equipment[one["equipment_id"]]["name"],
            "booking_id": one["booking_id"],
            "text": one["text"],
            "written_by_id": one["written_by_id"],
            "written_by_name": people[one["written_by_id"]]["name"],
            "written_at": one["written_at"],
            "status": one["status"],
            "closed_at": one["closed_at"],
        })
    return views


def get_booking(env, *, booking_id: int) -> dict:
    """Shows a booking and the notes about it."""
    booking = _desk_booking(env, booking_id)
    notes = env.files.records("notes/2026.jsonl", {"booking_id": booking_id})
    return {"booking": _desk_booking_views(env, [booking])[0], "notes": _desk_note_views(env, notes)}
