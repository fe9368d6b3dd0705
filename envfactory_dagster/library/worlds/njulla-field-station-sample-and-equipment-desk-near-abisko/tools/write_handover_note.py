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


def write_handover_note(env, *, booking_id: int, text: str) -> dict:
    """Files a handover note on a loan that is out or back."""
    booking = _desk_booking(env, booking_id)
    _desk_own_project(env, booking["project_id"])
    if booking["equipment_id"] is None:
        raise env.Error("a handover note is about equipment, not about a rack")
    if booking["status"] not in ("out", "back"):
        raise env.Error(f"booking {booking_id} never went out, so nothing was handed over")
    if text.strip() == "":
        raise env.Error("the note is empty")
    key = env.files.append("notes/2026.jsonl", {
        "kind": "handover",
        "equipment_id": booking["equipment_id"],
        "booking_id": booking_id,
        "text": text.strip(),
        "written_by_id": env.user_id,
        "written_at": env.now,
        "status": "filed",
        "closed_at": None,
    })
    return {"note": _desk_note_views(env, [env.files.get("notes/2026.jsonl", key)])[0]}
