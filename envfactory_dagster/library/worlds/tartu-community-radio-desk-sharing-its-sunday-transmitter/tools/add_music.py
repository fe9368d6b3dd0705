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


def _get_programme_item(item: dict) -> dict:
    return {
        "id": item["id"],
        "programme_id": item["programme_id"],
        "position": item["position"],
        "kind": item["kind"],
        "title": item["title"],
        "seconds": item["seconds"],
        "artist": item["artist"],
        "estonian": item["estonian"],
        "guest_name": item["guest_name"],
        "consent": item["consent"],
        "consent_on": item["consent_on"],
        "advert_order_id": item["advert_order_id"],
    }


def _add_music_open(env, programme_id: int) -> dict:
    programme = env.files.get("data/programmes.json", programme_id)
    if programme is None:
        raise env.Error(f"there is no programme {programme_id}")
    if programme["host_id"] != env.user_id:
        raise env.Error("only the host of a programme may change its running order")
    if programme["status"] == "called_off":
        raise env.Error("that programme has been called off")
    if programme["status"] == "logged":
        raise env.Error("that programme is logged, nothing in it changes any more")
    if env.now >= programme["starts_at"]:
        if programme["mode"] == "recorded":
            raise env.Error("a recorded hour runs as cut")
        if programme["status"] != "confirmed":
            raise env.Error("that hour was never confirmed and has passed")
    return programme


def _add_music_unconfirm(env, programme: dict) -> None:
    if programme["status"] == "confirmed" and env.now < programme["starts_at"]:
        env.files.update("data/programmes.json", programme["id"], {"status": "planned", "confirmed_at": None})


def _add_music_room(env, programme_id: int, position: int) -> int:
    items = env.files.records("data/running_orders.jsonl", {"programme_id": programme_id})
    end = max([one["position"] for one in items], default=0) + 1
    if position is None:
        return end
    if position > end:
        raise env.Error(f"the running order has {end - 1} items; a new one can stand at most at place {end}")
    for one in sorted(items, key=lambda one: one["position"], reverse=True):
        if one["position"] >= position:
            env.files.update("data/running_orders.jsonl", one["id"], {"position": one["position"] + 1})
    return position


def add_music(env, *, programme_id: int, title: str, artist: str, estonian: int, seconds: int, position: int = None) -> dict:
    """Adds a piece of music to the running order of a programme that the user hosts."""
    programme = _add_music_open(env, programme_id)
    if not title.strip() or not artist.strip():
        raise env.Error("a piece of music needs a title and an artist")
    place = _add_music_room(env, programme_id, position)
    item_id = env.files.append("data/running_orders.jsonl", {
        "programme_id": programme_id,
        "position": place,
        "kind": "music",
        "title": title,
        "seconds": seconds,
        "artist": artist,
        "estonian": estonian,
        "guest_name": None,
        "consent": None,
        "consent_on": None,
        "advert_order_id": None,
    })
    _add_music_unconfirm(env, programme)
    return {
        "running_order_item": _get_programme_item(env.files.get("data/running_orders.jsonl", item_id)),
        "programme": _search_programmes_view(env, env.files.get("data/programmes.json", programme_id)),
    }
