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


def _desk_sample_left(env):
    left = {}
    for one in env.files.records("samples/2026.json"):
        left[one["id"]] = one["vials"]
    for one in env.files.records("samples/departures_2026.jsonl"):
        left[one["sample_id"]] -= one["vials"]
    return left


def _desk_sample_views(env, samples):
    left = _desk_sample_left(env)
    projects = {one["id"]: one for one in env.files.records("data/projects.yaml")}
    sites = {one["id"]: one for one in env.files.records("data/sites.csv")}
    places = {one["id"]: one for one in env.files.records("data/store_places.csv")}
    views = []
    for one in samples:
        views.append({
            "id": one["id"],
            "number": one["number"],
            "project_id": one["project_id"],
            "project_code": projects[one["project_id"]]["code"],
            "site_id": one["site_id"],
            "site_name": sites[one["site_id"]]["name"],
            "material": one["material"],
            "vials": one["vials"],
            "vials_left": left[one["id"]],
            "arrived_at": one["arrived_at"],
            "registered_by_id": one["registered_by_id"],
            "status": one["status"],
            "store_place_id": one["store_place_id"],
            "store_place_code": None if one["store_place_id"] is None else places[one["store_place_id"]]["code"],
            "placed_at": one["placed_at"],
        })
    return views


def _desk_sample(env, sample_id):
    sample = env.files.get("samples/2026.json", sample_id)
    if sample is None:
        raise env.Error(f"there is no sample {sample_id}")
    return sample


def _desk_departure_view(one):
    return {
        "id": one["id"],
        "sample_id": one["sample_id"],
        "vials": one["vials"],
        "reason": one["reason"],
        "destination": one["destination"],
        "left_on": one["left_on"],
        "recorded_by_id": one["recorded_by_id"],
        "recorded_at": one["recorded_at"],
    }


def record_departure(env, *, sample_id: int, vials: int, reason: str, left_on: str, destination: str = None) -> dict:
    """Records that vials of a sample were sent, used up or discarded."""
    sample = _desk_sample(env, sample_id)
    _desk_own_project(env, sample["project_id"])
    left = _desk_sample_left(env)[sample_id]
    if vials < 1 or vials > left:
        raise env.Error(f"{sample['number']} has {left} vials left, so {vials} cannot have left the store")
    if left_on > env.now[:10]:
        raise env.Error(f"{left_on} has not come yet")
    if left_on < sample["arrived_at"][:10]:
        raise env.Error(f"{sample['number']} arrived only on {sample['arrived_at'][:10]}")
    if reason == "sent" and (destination is None or destination.strip() == ""):
        raise env.Error("say where the vials were sent")
    if reason != "sent" and destination is not None:
        raise env.Error("only vials that were sent have a destination")
    key = env.files.append("samples/departures_2026.jsonl", {
        "sample_id": sample_id,
        "vials": vials,
        "reason": reason,
        "destination": None if destination is None else destination.strip(),
        "left_on": left_on,
        "recorded_by_id": env.user_id,
        "recorded_at": env.now,
    })
    if vials == left:
        env.files.update("samples/2026.json", sample_id, {"status": "gone", "store_place_id": None})
    return {
        "departure": _desk_departure_view(env.files.get("samples/departures_2026.jsonl", key)),
        "sample": _desk_sample_views(env, [env.files.get("samples/2026.json", sample_id)])[0],
    }
