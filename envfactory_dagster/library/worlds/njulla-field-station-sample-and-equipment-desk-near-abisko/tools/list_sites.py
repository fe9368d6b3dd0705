def list_sites(env, *, kind: str = None, name: str = None) -> dict:
    """Lists lakes, mires and slopes."""
    found = []
    for one in env.files.records("data/sites.csv"):
        if kind is not None and one["kind"] != kind:
            continue
        if name is not None and name.lower() not in one["name"].lower():
            continue
        found.append({"id": one["id"], "name": one["name"], "kind": one["kind"], "altitude_m": one["altitude_m"]})
    return {"sites": sorted(found, key=lambda one: (one["kind"], one["name"], one["id"]))}
