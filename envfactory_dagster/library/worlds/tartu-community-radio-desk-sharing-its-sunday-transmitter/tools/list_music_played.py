def list_music_played(env, *, first_day: str, last_day: str) -> dict:
    """Lists every time a piece of music was played between two days, in logged programmes and their night reruns."""
    if first_day > last_day:
        raise env.Error("the first day lies after the last day")
    logged = {one["id"]: one for one in env.files.records("data/programmes.json", {"status": "logged"})}
    music = {}
    for one in env.files.records("data/running_orders.jsonl", {"kind": "music"}):
        music.setdefault(one["programme_id"], []).append(one)
    heard = []
    for one in logged.values():
        if first_day <= one["starts_at"][:10] <= last_day:
            heard.append((one["starts_at"], one["id"], None))
    for one in env.files.records("data/night_reruns.csv"):
        if first_day <= one["night"] <= last_day and one["night"] < env.now[:10] and one["programme_id"] in logged:
            heard.append((one["night"] + "T23:00:00", one["programme_id"], one["id"]))
    plays = []
    for moment, programme_id, night_rerun_id in sorted(heard, key=lambda one: (one[0], one[1])):
        pieces = music.get(programme_id, [])
        for piece in sorted(pieces, key=lambda one: (one["position"], one["id"])):
            plays.append({
                "played_on": moment[:10],
                "programme_id": programme_id,
                "night_rerun_id": night_rerun_id,
                "running_order_item_id": piece["id"],
                "title": piece["title"],
                "artist": piece["artist"],
                "estonian": piece["estonian"],
                "seconds": piece["seconds"],
            })
    return {"plays": plays}
