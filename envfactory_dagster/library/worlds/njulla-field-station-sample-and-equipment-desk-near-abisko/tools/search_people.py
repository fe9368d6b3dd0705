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


def search_people(env, *, name: str = None, project_id: int = None, role: str = None) -> dict:
    """Finds people by name, project or role."""
    members = None
    if project_id is not None:
        _desk_project(env, project_id)
        members = {one["person_id"] for one in env.files.records("data/project_members.csv", {"project_id": project_id})}
    found = []
    for one in env.files.records("data/people.json"):
        if name is not None and name.lower() not in one["name"].lower():
            continue
        if members is not None and one["id"] not in members:
            continue
        if role is not None and one["role"] != role:
            continue
        found.append(one)
    return {"people": [_desk_person_view(one) for one in sorted(found, key=lambda one: (one["name"], one["id"]))]}
