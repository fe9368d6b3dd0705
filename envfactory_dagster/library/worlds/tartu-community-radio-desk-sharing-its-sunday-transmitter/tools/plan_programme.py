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


def plan_programme(env, *, series_id: int, title: str, mode: str, starts_at: str, companion_id: int = None) -> dict:
    """Plans a programme of a series that the user hosts in an hour to come of its slot."""
    series = env.files.get("data/series.yaml", series_id)
    if series is None:
        raise env.Error(f"there is no series {series_id}")
    if series["host_id"] != env.user_id:
        raise env.Error(f"{series['title']} is not a series of yours")
    if not title.strip():
        raise env.Error("a programme needs a title")
    moment = _plan_programme_moment(env, starts_at)
    if _plan_programme_parish(starts_at):
        raise env.Error("since 1 March 2026 the transmitter is the parish's on Sundays until 11:00")
    if starts_at <= env.now:
        raise env.Error("that hour has begun already")
    if PLAN_PROGRAMME_DAYS[moment.weekday()] != series["weekday"] or moment.hour != series["start_hour"]:
        raise env.Error(f"{series['title']} keeps its slot, {series['weekday']} at {series['start_hour']:02d}:00, specials included")
    for other in env.files.records("data/programmes.json", {"starts_at": starts_at}):
        if other["status"] != "called_off":
            raise env.Error(f"{other['title']} is entered in that hour")
    companion = None
    if companion_id is not None:
        companion = env.files.get("data/volunteers.json", companion_id)
        if companion is None:
            raise env.Error(f"there is no volunteer {companion_id}")
        if companion_id == env.user_id:
            raise env.Error("you cannot accompany your own hour")
        if companion["studio_course"] != 1:
            raise env.Error(f"{companion['name']} has not taken the studio course")
    me = env.files.get("data/volunteers.json", env.user_id)
    if mode == "live" and me["studio_course"] != 1 and companion is None:
        raise env.Error("without the studio course you go live only with a companion who has taken it")
    programme_id = env.files.append("data/programmes.json", {
        "series_id": series_id,
        "title": title,
        "host_id": env.user_id,
        "companion_id": companion_id,
        "mode": mode,
        "starts_at": starts_at,
        "status": "planned",
        "confirmed_at": None,
        "called_off_at": None,
        "logged_at": None,
    })
    return {"programme": _search_programmes_view(env, env.files.get("data/programmes.json", programme_id))}
