def list_advert_orders(env, *, advertiser: str = None, last_day_from: str = None, last_day_to: str = None, runs_on: str = None) -> dict:
    """Lists advert orders with the runs paid for and the runs placed so far."""
    if last_day_from is not None and last_day_to is not None and last_day_from > last_day_to:
        raise env.Error("the earliest last day lies after the latest")
    standing = {one["id"] for one in env.files.records("data/programmes.json") if one["status"] != "called_off"}
    placed = {}
    for one in env.files.records("data/running_orders.jsonl", {"kind": "advert"}):
        if one["programme_id"] in standing:
            placed[one["advert_order_id"]] = placed.get(one["advert_order_id"], 0) + 1
    found = []
    for one in env.files.records("data/advert_orders.csv"):
        if advertiser is not None and advertiser.casefold() not in one["advertiser"].casefold():
            continue
        if last_day_from is not None and one["last_day"] < last_day_from:
            continue
        if last_day_to is not None and one["last_day"] > last_day_to:
            continue
        if runs_on is not None and not one["first_day"] <= runs_on <= one["last_day"]:
            continue
        found.append({
            "id": one["id"],
            "advertiser": one["advertiser"],
            "title": one["title"],
            "seconds": one["seconds"],
            "runs_paid": one["runs_paid"],
            "runs_placed": placed.get(one["id"], 0),
            "first_day": one["first_day"],
            "last_day": one["last_day"],
        })
    return {"advert_orders": sorted(found, key=lambda one: (one["last_day"], one["id"]))}
