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


def get_sample(env, *, sample_id: int) -> dict:
    """Shows a sample and what has left of it."""
    sample = _desk_sample(env, sample_id)
    departures = env.files.records("samples/departures_2026.jsonl", {"sample_id": sample_id})
    return {
        "sample": _desk_sample_views(env, [sample])[0],
        "departures": [_desk_departure_view(one) for one in sorted(departures, key=lambda one: (one["left_on"], one["id"]))],
    }
