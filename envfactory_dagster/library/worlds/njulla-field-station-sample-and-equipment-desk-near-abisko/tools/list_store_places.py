def _desk_project(env, project_id):
    project = env.files.get("data/projects.yaml", project_id)
    if project is None:
        raise env.Error(f"there is no project {project_id}")
    return project


def _desk_sample_left(env):
    left = {}
    for one in env.files.records("samples/2026.json"):
        left[one["id"]] = one["vials"]
    for one in env.files.records("samples/departures_2026.jsonl"):
        left[one["sample_id"]] -= one["vials"]
    return left


def list_store_places(env, *, kind: str = None, project_id: int = None, free_racks_only: bool = False,
                      cut_at_tests: int = None, min_vials_free: int = None) -> dict:
    """Lists racks and boxes with their vials and, of racks, the project that holds them."""
    if project_id is not None:
        _desk_project(env, project_id)
    projects = {one["id"]: one for one in env.files.records("data/projects.yaml")}
    holders = {}
    for one in env.files.records("bookings/2026.json", {"status": "out"}):
        if one["store_place_id"] is not None:
            holders[one["store_place_id"]] = one["project_id"]
    left = _desk_sample_left(env)
    inside = {}
    for one in env.files.records("samples/2026.json", {"status": "in_store"}):
        inside[one["store_place_id"]] = inside.get(one["store_place_id"], 0) + left[one["id"]]
    found = []
    for one in env.files.records("data/store_places.csv"):
        holder = holders.get(one["id"])
        free = one["capacity_vials"] - inside.get(one["id"], 0)
        if kind is not None and one["kind"] != kind:
            continue
        if project_id is not None and holder != project_id:
            continue
        if free_racks_only and (one["kind"] != "rack" or holder is not None):
            continue
        if cut_at_tests is not None and one["cut_at_tests"] != cut_at_tests:
            continue
        if min_vials_free is not None and free < min_vials_free:
            continue
        found.append({
            "id": one["id"],
            "code": one["code"],
            "kind": one["kind"],
            "capacity_vials": one["capacity_vials"],
            "cut_at_tests": one["cut_at_tests"],
            "week_price_cents": one["week_price_cents"],
            "project_id": holder,
            "project_code": None if holder is None else projects[holder]["code"],
            "vials_in": inside.get(one["id"], 0),
            "vials_free": free,
        })
    return {"store_places": sorted(found, key=lambda one: (one["code"], one["id"]))}
