import datetime

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


def log_programme(env, *, programme_id: int) -> dict:
    """Logs a confirmed programme that the user hosts once its hour is over."""
    programme = env.files.get("data/programmes.json", programme_id)
    if programme is None:
        raise env.Error(f"there is no programme {programme_id}")
    if programme["host_id"] != env.user_id:
        raise env.Error("only the host of a programme may log it")
    if programme["status"] == "logged":
        raise env.Error("that programme is logged already")
    if programme["status"] != "confirmed":
        raise env.Error("only a confirmed programme can be logged")
    end = datetime.datetime.fromisoformat(programme["starts_at"]) + datetime.timedelta(hours=1)
    if env.now < end.isoformat():
        raise env.Error("a programme is logged once its hour is over")
    env.files.update("data/programmes.json", programme_id, {"status": "logged", "logged_at": env.now})
    return {"programme": _search_programmes_view(env, env.files.get("data/programmes.json", programme_id))}
