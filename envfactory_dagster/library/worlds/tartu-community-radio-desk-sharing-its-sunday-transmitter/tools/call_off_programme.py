import datetime

def _move_programme_eve(starts_at: str) -> str:
    eve = datetime.date.fromisoformat(starts_at[:10]) - datetime.timedelta(days=1)
    return eve.isoformat() + "T18:00:00"


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


def call_off_programme(env, *, programme_id: int) -> dict:
    """Calls off a programme of a series that the user hosts."""
    programme = env.files.get("data/programmes.json", programme_id)
    if programme is None:
        raise env.Error(f"there is no programme {programme_id}")
    series = env.files.get("data/series.yaml", programme["series_id"])
    if series["host_id"] != env.user_id:
        raise env.Error(f"only the host of {series['title']} may call off its programmes")
    if programme["status"] == "called_off":
        raise env.Error("that programme has been called off already")
    if programme["status"] == "logged":
        raise env.Error("that programme has gone out and is logged")
    if env.now > _move_programme_eve(programme["starts_at"]):
        raise env.Error("a programme may be called off until 18:00 on the day before it airs; telephone the manager")
    env.files.update("data/programmes.json", programme_id, {"status": "called_off", "called_off_at": env.now})
    return {"programme": _search_programmes_view(env, env.files.get("data/programmes.json", programme_id))}
