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


def _desk_place(env, store_place_id):
    place = env.files.get("data/store_places.csv", store_place_id)
    if place is None:
        raise env.Error(f"there is no rack or box {store_place_id}")
    return place


def _desk_sample_left(env):
    left = {}
    for one in env.files.records("samples/2026.json"):
        left[one["id"]] = one["vials"]
    for one in env.files.records("samples/departures_2026.jsonl"):
        left[one["sample_id"]] -= one["vials"]
    return left


def _desk_vials_in(env, store_place_id):
    left = _desk_sample_left(env)
    return sum(left[one["id"]] for one in env.files.records("samples/2026.json", {"store_place_id": store_place_id}))


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


def _desk_site(env, site_id):
    site = env.files.get("data/sites.csv", site_id)
    if site is None:
        raise env.Error(f"there is no site {site_id}")
    return site


def change_sample(env, *, sample_id: int, site_id: int = None, material: str = None, vials: int = None) -> dict:
    """Corrects what was entered when a sample arrived."""
    sample = _desk_sample(env, sample_id)
    _desk_own_project(env, sample["project_id"])
    if site_id is None and material is None and vials is None:
        raise env.Error("say what is to be corrected: site, material or number of vials")
    if sample["status"] == "gone":
        raise env.Error(f"{sample['number']} is gone and stays as it is")
    if site_id is not None:
        _desk_site(env, site_id)
    if material is not None and material.strip() == "":
        raise env.Error("say what the sample is")
    status = sample["status"]
    store_place_id = sample["store_place_id"]
    if vials is not None:
        departed = sample["vials"] - _desk_sample_left(env)[sample_id]
        if vials < 1 or vials < departed:
            raise env.Error(f"{departed} vials of {sample['number']} have left already, so there were not only {vials}")
        place = _desk_place(env, store_place_id)
        free = place["capacity_vials"] - _desk_vials_in(env, store_place_id)
        if vials - sample["vials"] > free:
            raise env.Error(f"{place['code']} has room for {free} more vials, not for {vials - sample['vials']}")
        if vials == departed:
            status = "gone"
            store_place_id = None
    env.files.update("samples/2026.json", sample_id, {
        "site_id": sample["site_id"] if site_id is None else site_id,
        "material": sample["material"] if material is None else material.strip(),
        "vials": sample["vials"] if vials is None else vials,
        "status": status,
        "store_place_id": store_place_id,
    })
    return {"sample": _desk_sample_views(env, [env.files.get("samples/2026.json", sample_id)])[0]}
