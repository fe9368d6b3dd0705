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


def get_programme(env, *, programme_id: int) -> dict:
    """Shows a programme with its whole running order."""
    programme = env.files.get("data/programmes.json", programme_id)
    if programme is None:
        raise env.Error(f"there is no programme {programme_id}")
    items = env.files.records("data/running_orders.jsonl", {"programme_id": programme_id})
    items = sorted(items, key=lambda one: (one["position"], one["id"]))
    return {
        "programme": _search_programmes_view(env, programme),
        "running_order_items": [_get_programme_item(one) for one in items],
    }
