def _desk_project(env, project_id):
    project = env.files.get("data/projects.yaml", project_id)
    if project is None:
        raise env.Error(f"there is no project {project_id}")
    return project


def _desk_equipment(env, equipment_id):
    thing = env.files.get("data/equipment.json", equipment_id)
    if thing is None:
        raise env.Error(f"there is no equipment {equipment_id}")
    return thing


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


def list_notes(env, *, equipment_id: int = None, project_id: int = None, written_by_id: int = None, kind: str = None,
               status: str = None, query: str = None) -> dict:
    """Lists handover and breakdown notes, the oldest first."""
    if equipment_id is not None:
        _desk_equipment(env, equipment_id)
    loans = None
    if project_id is not None:
        _desk_project(env, project_id)
        loans = {one["id"] for one in env.files.records("bookings/2026.json", {"project_id": project_id})}
    if written_by_id is not None and env.files.get("data/people.json", written_by_id) is None:
        raise env.Error(f"there is no person {written_by_id}")
    found = []
    for one in env.files.records("notes/2026.jsonl"):
        if equipment_id is not None and one["equipment_id"] != equipment_id:
            continue
        if loans is not None and one["booking_id"] not in loans:
            continue
        if written_by_id is not None and one["written_by_id"] != written_by_id:
            continue
        if kind is not None and one["kind"] != kind:
            continue
        if status is not None and one["status"] != status:
            continue
        if query is not None and query.lower() not in one["text"].lower():
            continue
        found.append(one)
    return {"notes": _desk_note_views(env, found)}
