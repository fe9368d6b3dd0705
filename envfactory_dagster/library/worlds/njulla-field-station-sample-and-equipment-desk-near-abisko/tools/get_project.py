def _desk_project(env, project_id):
    project = env.files.get("data/projects.yaml", project_id)
    if project is None:
        raise env.Error(f"there is no project {project_id}")
    return project


def _desk_person_view(one):
    return {
        "id": one["id"],
        "name": one["name"],
        "role": one["role"],
        "home": one["home"],
        "phone": one["phone"],
        "course_on": one["course_on"],
    }


def _desk_project_view(env, one):
    leader = env.files.get("data/people.json", one["leader_id"])
    return {
        "id": one["id"],
        "code": one["code"],
        "title": one["title"],
        "leader_id": one["leader_id"],
        "leader_name": leader["name"],
        "starts_on": one["starts_on"],
        "ends_on": one["ends_on"],
        "rack_signed_on": one["rack_signed_on"],
    }


def _desk_is_overdue(env, one):
    return one["status"] == "out" and one["until_on"] < env.now[:10]


def get_project(env, *, project_id: int) -> dict:
    """Shows a project, its members and the racks that it holds."""
    project = _desk_project(env, project_id)
    ids = {one["person_id"] for one in env.files.records("data/project_members.csv", {"project_id": project_id})}
    members = [one for one in env.files.records("data/people.json") if one["id"] in ids]
    places = {one["id"]: one for one in env.files.records("data/store_places.csv")}
    racks = []
    for one in env.files.records("bookings/2026.json", {"project_id": project_id, "status": "out"}):
        if one["store_place_id"] is None:
            continue
        racks.append({
            "booking_id": one["id"],
            "store_place_id": one["store_place_id"],
            "store_place_code": places[one["store_place_id"]]["code"],
            "from_on": one["from_on"],
            "until_on": one["until_on"],
            "overdue": _desk_is_overdue(env, one),
        })
    return {
        "project": _desk_project_view(env, project),
        "members": [_desk_person_view(one) for one in sorted(members, key=lambda one: (one["name"], one["id"]))],
        "racks": sorted(racks, key=lambda one: (one["store_place_code"], one["booking_id"])),
    }
