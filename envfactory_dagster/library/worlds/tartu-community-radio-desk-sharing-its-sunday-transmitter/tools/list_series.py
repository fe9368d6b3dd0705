def list_series(env, *, title: str = None, host_id: int = None, weekday: str = None) -> dict:
    """Lists the series with their host and the weekly hour that each keeps."""
    people = {one["id"]: one for one in env.files.records("data/volunteers.json")}
    if host_id is not None and host_id not in people:
        raise env.Error(f"there is no volunteer {host_id}")
    days = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
    found = [
        one for one in env.files.records("data/series.yaml")
        if (title is None or title.casefold() in one["title"].casefold())
        and (host_id is None or one["host_id"] == host_id)
        and (weekday is None or one["weekday"] == weekday)
    ]
    found = sorted(found, key=lambda one: (days.index(one["weekday"]), one["start_hour"], one["id"]))
    return {
        "series": [
            {
                "id": one["id"],
                "title": one["title"],
                "host_id": one["host_id"],
                "host_name": people[one["host_id"]]["name"],
                "weekday": one["weekday"],
                "start_hour": one["start_hour"],
                "music_hour": one["music_hour"],
            }
            for one in found
        ]
    }
