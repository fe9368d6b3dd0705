def _desk_project(env, project_id):
    project = env.files.get("data/projects.yaml", project_id)
    if project is None:
        raise env.Error(f"there is no project {project_id}")
    return project


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


def _desk_is_technician(env):
    person = env.files.get("data/people.json", env.user_id)
    return person is not None and person["role"] == "technician"


def _desk_only_technician(env):
    if not _desk_is_technician(env):
        raise env.Error("only the technician does this: telephone the desk")


def enter_rack_signature(env, *, project_id: int, signed_on: str) -> dict:
    """Enters the day on which a leader signed for a third rack."""
    _desk_only_technician(env)
    project = _desk_project(env, project_id)
    if signed_on > env.now[:10]:
        raise env.Error(f"{signed_on} has not come yet")
    if signed_on < project["starts_on"]:
        raise env.Error(f"{project['code']} began only on {project['starts_on']}")
    if signed_on > project["ends_on"]:
        raise env.Error(f"{project['code']} ended already on {project['ends_on']}")
    env.files.update("data/projects.yaml", project_id, {"rack_signed_on": signed_on})
    return {"project": _desk_project_view(env, env.files.get("data/projects.yaml", project_id))}
