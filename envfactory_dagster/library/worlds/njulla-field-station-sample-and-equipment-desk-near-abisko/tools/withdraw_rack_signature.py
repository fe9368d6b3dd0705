TAKE_RACK_ALWAYS = 2


def _desk_project(env, project_id):
    project = env.files.get("data/projects.yaml", project_id)
    if project is None:
        raise env.Error(f"there is no project {project_id}")
    return project


def _desk_is_technician(env):
    person = env.files.get("data/people.json", env.user_id)
    return person is not None and person["role"] == "technician"


def _desk_only_technician(env):
    if not _desk_is_technician(env):
        raise env.Error("only the technician does this: telephone the desk")


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


def withdraw_rack_signature(env, *, project_id: int) -> dict:
    """Takes off a rack signature that was entered for the wrong project."""
    _desk_only_technician(env)
    project = _desk_project(env, project_id)
    if project["rack_signed_on"] is None:
        raise env.Error(f"no rack signature is entered for {project['code']}")
    out = env.files.records("bookings/2026.json", {"project_id": project_id, "status": "out"})
    held = len([one for one in out if one["store_place_id"] is not None])
    if held > TAKE_RACK_ALWAYS:
        raise env.Error(f"{project['code']} holds {held} racks: the signature stays as long as it does")
    env.files.update("data/projects.yaml", project_id, {"rack_signed_on": None})
    return {"project": _desk_project_view(env, env.files.get("data/projects.yaml", project_id))}
