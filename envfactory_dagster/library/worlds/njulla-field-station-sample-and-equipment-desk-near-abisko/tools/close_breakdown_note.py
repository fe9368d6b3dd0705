def _desk_is_technician(env):
    person = env.files.get("data/people.json", env.user_id)
    return person is not None and person["role"] == "technician"


def _desk_only_technician(env):
    if not _desk_is_technician(env):
        raise env.Error("only the technician does this: telephone the desk")


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


def close_breakdown_note(env, *, note_id: int) -> dict:
    """Closes an open breakdown note."""
    _desk_only_technician(env)
    note = env.files.get("notes/2026.jsonl", note_id)
    if note is None:
        raise env.Error(f"there is no note {note_id}")
    if note["kind"] != "breakdown":
        raise env.Error(f"note {note_id} is a handover note, which is not closed")
    if note["status"] != "open":
        raise env.Error(f"breakdown note {note_id} is closed already")
    env.files.update("notes/2026.jsonl", note_id, {"status": "closed", "closed_at": env.now})
    return {"note": _desk_note_views(env, [env.files.get("notes/2026.jsonl", note_id)])[0]}
