def _search_programmes_view(env, programme: dict) -> dict:
    series = env.files.get("data/series.yaml", programme["series_id"])
    host = env.files.get("data/volunteers.json", programme["host_id"])
    companion = None
    if programme["companion_id"] is not None:
        companion = env.files.get("data/volunteers.json", programme["companion_id"])
    items = env.files.records("data/running_orders.jsonl", {"programme_id": programme["id"]})
    music = [one for one in items if one["kind"] == "music"]
    return {
        "id": programme["id"],
        "series_id": programme["series_id"],
        "series_title": series["title"],
        "title": programme["title"],
        "host_id": programme["host_id"],
        "host_name": host["name"],
        "companion_id": programme["companion_id"],
        "companion_name": companion["name"] if companion is not None else None,
        "mode": programme["mode"],
        "starts_at": programme["starts_at"],
        "status": programme["status"],
        "confirmed_at": programme["confirmed_at"],
        "called_off_at": programme["called_off_at"],
        "logged_at": programme["logged_at"],
        "total_seconds": sum(one["seconds"] for one in items),
        "music_pieces": len(music),
        "estonian_pieces": len([one for one in music if one["estonian"] == 1]),
    }


def search_programmes(env, *, first_day: str = None, last_day: str = None, series_id: int = None, volunteer_id: int = None,
                      only_mine: bool = False, status: str = None, mode: str = None) -> dict:
    """Finds programmes of all volunteers in the order in which they start."""
    if first_day is not None and last_day is not None and first_day > last_day:
        raise env.Error("the first day lies after the last day")
    if series_id is not None and env.files.get("data/series.yaml", series_id) is None:
        raise env.Error(f"there is no series {series_id}")
    if volunteer_id is not None and env.files.get("data/volunteers.json", volunteer_id) is None:
        raise env.Error(f"there is no volunteer {volunteer_id}")
    own = {one["id"] for one in env.files.records("data/series.yaml", {"host_id": env.user_id})}
    found = []
    for one in env.files.records("data/programmes.json"):
        day = one["starts_at"][:10]
        if first_day is not None and day < first_day:
            continue
        if last_day is not None and day > last_day:
            continue
        if series_id is not None and one["series_id"] != series_id:
            continue
        if volunteer_id is not None and volunteer_id not in (one["host_id"], one["companion_id"]):
            continue
        if only_mine and env.user_id not in (one["host_id"], one["companion_id"]) and one["series_id"] not in own:
            continue
        if status is not None and one["status"] != status:
            continue
        if mode is not None and one["mode"] != mode:
            continue
        found.append(one)
    found = sorted(found, key=lambda one: (one["starts_at"], one["id"]))
    return {"programmes": [_search_programmes_view(env, one) for one in found]}
