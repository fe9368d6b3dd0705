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


def name_host(env, *, programme_id: int, volunteer_id: int) -> dict:
    """Names another volunteer as host of a programme that the user hosts, until it starts."""
    programme = env.files.get("data/programmes.json", programme_id)
    if programme is None:
        raise env.Error(f"there is no programme {programme_id}")
    if programme["host_id"] != env.user_id:
        raise env.Error("only the host of a programme may name another")
    if programme["status"] not in ("planned", "confirmed"):
        raise env.Error("that programme has been called off or is logged")
    if env.now >= programme["starts_at"]:
        raise env.Error("that programme has begun already")
    volunteer = env.files.get("data/volunteers.json", volunteer_id)
    if volunteer is None:
        raise env.Error(f"there is no volunteer {volunteer_id}")
    if volunteer_id == programme["host_id"]:
        raise env.Error("you host that programme already")
    companion_id = programme["companion_id"] if programme["companion_id"] != volunteer_id else None
    companion = env.files.get("data/volunteers.json", companion_id) if companion_id is not None else None
    if programme["mode"] == "live" and volunteer["studio_course"] != 1:
        if companion is None or companion["studio_course"] != 1:
            raise env.Error(f"{volunteer['name']} has not taken the studio course and goes live only with a companion who has")
    env.files.update("data/programmes.json", programme_id, {"host_id": volunteer_id, "companion_id": companion_id})
    return {"programme": _search_programmes_view(env, env.files.get("data/programmes.json", programme_id))}
