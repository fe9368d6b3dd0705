def _desk_project(env, project_id):
    project = env.files.get("data/projects.yaml", project_id)
    if project is None:
        raise env.Error(f"there is no project {project_id}")
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


def search_samples(env, *, project_id: int = None, store_place_id: int = None, status: str = None, query: str = None,
                   first_day: str = None, last_day: str = None) -> dict:
    """Finds samples in order of arrival."""
    if project_id is not None:
        _desk_project(env, project_id)
    if store_place_id is not None:
        _desk_place(env, store_place_id)
    if first_day is not None and last_day is not None and last_day < first_day:
        raise env.Error("last_day cannot be before first_day")
    found = []
    for one in env.files.records("samples/2026.json"):
        if project_id is not None and one["project_id"] != project_id:
            continue
        if store_place_id is not None and one["store_place_id"] != store_place_id:
            continue
        if status is not None and one["status"] != status:
            continue
        if query is not None and query.lower() not in (one["number"] + " " + one["material"]).lower():
            continue
        if first_day is not None and one["arrived_at"][:10] < first_day:
            continue
        if last_day is not None and one["arrived_at"][:10] > last_day:
            continue
        found.append(one)
    return {"samples": _desk_sample_views(env, sorted(found, key=lambda one: (one["arrived_at"], one["id"])))}
