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


def change_programme(env, *, programme_id: int, title: str = None, mode: str = None) -> dict:
    """Changes the title of a programme that the user hosts, or whether it is live or recorded."""
    programme = env.files.get("data/programmes.json", programme_id)
    if programme is None:
        raise env.Error(f"there is no programme {programme_id}")
    if programme["host_id"] != env.user_id:
        raise env.Error("only the host of a programme may change it")
    if programme["status"] not in ("planned", "confirmed"):
        raise env.Error("that programme has been called off or is logged")
    if env.now >= programme["starts_at"]:
        raise env.Error("that programme has begun already")
    if title is None and mode is None:
        raise env.Error("say what is to change: the title, or live or recorded")
    if title is not None and not title.strip():
        raise env.Error("a programme needs a title")
    changed_mode = mode is not None and mode != programme["mode"]
    if changed_mode and mode == "live":
        host = env.files.get("data/volunteers.json", programme["host_id"])
        companion = None
        if programme["companion_id"] is not None:
            companion = env.files.get("data/volunteers.json", programme["companion_id"])
        if host["studio_course"] != 1 and (companion is None or companion["studio_course"] != 1):
            raise env.Error("without the studio course you go live only with a companion who has taken it")
    if title is not None:
        env.files.update("data/programmes.json", programme_id, {"title": title})
    if changed_mode:
        env.files.update("data/programmes.json", programme_id, {"mode": mode, "status": "planned", "confirmed_at": None})
    return {"programme": _search_programmes_view(env, env.files.get("data/programmes.json", programme_id))}
