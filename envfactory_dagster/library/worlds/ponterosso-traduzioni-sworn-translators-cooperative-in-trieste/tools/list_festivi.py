def list_festivi(env, *, first_day: str = None, last_day: str = None) -> dict:
    """Lists the public holidays."""
    found = [
        {"id": one["id"], "day": one["day"], "name": one["name"]}
        for one in env.files.records("data/festivi.tsv")
        if (first_day is None or one["day"] >= first_day) and (last_day is None or one["day"] <= last_day)
    ]
    return {"festivi": sorted(found, key=lambda one: (one["day"], one["id"]))}
