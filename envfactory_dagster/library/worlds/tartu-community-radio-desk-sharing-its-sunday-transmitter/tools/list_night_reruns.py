def list_night_reruns(env, *, first_night: str = None, last_night: str = None) -> dict:
    """Lists the night reruns with the programme that is heard again and who has swapped it in."""
    if first_night is not None and last_night is not None and first_night > last_night:
        raise env.Error("the first night lies after the last night")
    people = {one["id"]: one for one in env.files.records("data/volunteers.json")}
    programmes = {one["id"]: one for one in env.files.records("data/programmes.json")}
    found = [
        one for one in env.files.records("data/night_reruns.csv")
        if (first_night is None or one["night"] >= first_night) and (last_night is None or one["night"] <= last_night)
    ]
    shown = []
    for one in sorted(found, key=lambda one: (one["night"], one["id"])):
        programme = programmes[one["programme_id"]]
        shown.append({
            "id": one["id"],
            "night": one["night"],
            "programme_id": one["programme_id"],
            "programme_title": programme["title"],
            "programme_starts_at": programme["starts_at"],
            "swapped_by_id": one["swapped_by_id"],
            "swapped_by_name": people[one["swapped_by_id"]]["name"] if one["swapped_by_id"] is not None else None,
            "swapped_at": one["swapped_at"] or None,
        })
    return {"night_reruns": shown}
