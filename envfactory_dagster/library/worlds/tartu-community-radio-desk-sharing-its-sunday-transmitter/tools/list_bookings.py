def _list_bookings_view(env, booking: dict) -> dict:
    volunteer = env.files.get("data/volunteers.json", booking["volunteer_id"])
    return {
        "id": booking["id"],
        "volunteer_id": booking["volunteer_id"],
        "volunteer_name": volunteer["name"],
        "item": booking["item"],
        "first_day": booking["first_day"],
        "last_day": booking["last_day"],
        "from_time": booking["from_time"] or None,
        "until_time": booking["until_time"] or None,
        "status": booking["status"],
        "called_off_at": booking["called_off_at"] or None,
    }


def list_bookings(env, *, item: str = None, first_day: str = None, last_day: str = None, volunteer_id: int = None,
                  only_mine: bool = False, status: str = None) -> dict:
    """Lists bookings of the two studios and the recorder by all volunteers."""
    if first_day is not None and last_day is not None and first_day > last_day:
        raise env.Error("the first day lies after the last day")
    if volunteer_id is not None and env.files.get("data/volunteers.json", volunteer_id) is None:
        raise env.Error(f"there is no volunteer {volunteer_id}")
    found = []
    for one in env.files.records("data/bookings.csv"):
        if item is not None and one["item"] != item:
            continue
        if first_day is not None and one["last_day"] < first_day:
            continue
        if last_day is not None and one["first_day"] > last_day:
            continue
        if volunteer_id is not None and one["volunteer_id"] != volunteer_id:
            continue
        if only_mine and one["volunteer_id"] != env.user_id:
            continue
        if status is not None and one["status"] != status:
            continue
        found.append(one)
    found = sorted(found, key=lambda one: (one["first_day"], one["from_time"], one["id"]))
    return {"bookings": [_list_bookings_view(env, one) for one in found]}
