import datetime

PLAN_PROGRAMME_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


PLAN_PROGRAMME_PARISH_FROM = "2026-03-01"
PLAN_PROGRAMME_PARISH_UNTIL = "11:00"


def _plan_programme_moment(env, starts_at: str):
    try:
        return datetime.datetime.fromisoformat(starts_at)
    except ValueError:
        raise env.Error(f"there is no such hour as {starts_at}")


def _plan_programme_parish(starts_at: str) -> bool:
    sunday = datetime.date.fromisoformat(starts_at[:10]).weekday() == 6
    return sunday and starts_at[:10] >= PLAN_PROGRAMME_PARISH_FROM and starts_at[11:16] < PLAN_PROGRAMME_PARISH_UNTIL


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


def move_programme(env, *, programme_id: int, starts_at: str) -> dict:
    """Moves a programme of a series that the user hosts to another hour to come that nobody holds."""
    programme = env.files.get("data/programmes.json", programme_id)
    if programme is None:
        raise env.Error(f"there is no programme {programme_id}")
    series = env.files.get("data/series.yaml", programme["series_id"])
    if series["host_id"] != env.user_id:
        raise env.Error(f"only the host of {series['title']} may move its programmes")
    if programme["status"] == "called_off":
        raise env.Error("that programme has been called off")
    if programme["status"] == "logged":
        raise env.Error("that programme has gone out and is logged")
    if env.now > _move_programme_eve(programme["starts_at"]):
        raise env.Error("a programme may be moved until 18:00 on the day before it airs; telephone the manager")
    moment = _plan_programme_moment(env, starts_at)
    if starts_at == programme["starts_at"]:
        raise env.Error("the programme is entered for that hour already")
    if starts_at <= env.now:
        raise env.Error("that hour has begun already")
    if moment.hour == 23:
        raise env.Error("23:00 belongs to the night rerun")
    if _plan_programme_parish(starts_at):
        raise env.Error("since 1 March 2026 the transmitter is the parish's on Sundays until 11:00")
    for other in env.files.records("data/programmes.json", {"starts_at": starts_at}):
        if other["status"] != "called_off":
            raise env.Error(f"{other['title']} is entered in that hour")
    weekday = PLAN_PROGRAMME_DAYS[moment.weekday()]
    for other in env.files.records("data/series.yaml", {"weekday": weekday, "start_hour": moment.hour}):
        if other["id"] != programme["series_id"]:
            raise env.Error(f"{other['title']} keeps that hour")
    for item in env.files.records("data/running_orders.jsonl", {"programme_id": programme_id, "kind": "advert"}):
        order = env.files.get("data/advert_orders.csv", item["advert_order_id"])
        if not order["first_day"] <= starts_at[:10] <= order["last_day"]:
            raise env.Error(f"the advert of {order['advertiser']} in it may run from {order['first_day']} to {order['last_day']} only")
    env.files.update("data/programmes.json", programme_id, {"starts_at": starts_at})
    return {"programme": _search_programmes_view(env, env.files.get("data/programmes.json", programme_id))}
