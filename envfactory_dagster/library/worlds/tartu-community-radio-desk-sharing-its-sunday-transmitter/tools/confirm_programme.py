import datetime

CONFIRM_PROGRAMME_LEAST_SECONDS = 3480
CONFIRM_PROGRAMME_MOST_SECONDS = 3600
CONFIRM_PROGRAMME_LEAST_PIECES = 10
CONFIRM_PROGRAMME_MOST_PIECES = 13


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


def confirm_programme(env, *, programme_id: int) -> dict:
    """Confirms a planned programme that the user hosts, before its start, when its running order is in order."""
    programme = env.files.get("data/programmes.json", programme_id)
    if programme is None:
        raise env.Error(f"there is no programme {programme_id}")
    if programme["host_id"] != env.user_id:
        raise env.Error("only the host of a programme may confirm it")
    if programme["status"] == "confirmed":
        raise env.Error("that programme is confirmed already")
    if programme["status"] != "planned":
        raise env.Error("that programme has been called off or is logged")
    if env.now >= programme["starts_at"]:
        raise env.Error("a programme is confirmed before its start")
    if _plan_programme_parish(programme["starts_at"]):
        raise env.Error("since 1 March 2026 the transmitter is the parish's on Sundays until 11:00; move the programme or call it off")
    items = env.files.records("data/running_orders.jsonl", {"programme_id": programme_id})
    seconds = sum(one["seconds"] for one in items)
    if not CONFIRM_PROGRAMME_LEAST_SECONDS <= seconds <= CONFIRM_PROGRAMME_MOST_SECONDS:
        raise env.Error(f"the running order fills {seconds // 60} minutes and {seconds % 60} seconds; it has to fill 58 to 60 minutes")
    music = [one for one in items if one["kind"] == "music"]
    estonian = [one for one in music if one["estonian"] == 1]
    if len(estonian) * 3 < len(music):
        raise env.Error(f"{len(estonian)} of {len(music)} pieces are Estonian; at least a third has to be")
    series = env.files.get("data/series.yaml", programme["series_id"])
    if series["music_hour"] == 1 and not CONFIRM_PROGRAMME_LEAST_PIECES <= len(music) <= CONFIRM_PROGRAMME_MOST_PIECES:
        raise env.Error(f"a music hour has 10 to 13 pieces, this one has {len(music)}")
    for talk in sorted(items, key=lambda one: (one["position"], one["id"])):
        if talk["kind"] != "talk":
            continue
        if talk["consent"] == "withdrawn":
            raise env.Error(f"{talk['guest_name']} has withdrawn; that talk has to come out")
        if programme["mode"] == "recorded" and talk["consent"] != "signed":
            raise env.Error(f"{talk['guest_name']} has not signed; a recorded hour is confirmed only then")
    host = env.files.get("data/volunteers.json", programme["host_id"])
    companion = None
    if programme["companion_id"] is not None:
        companion = env.files.get("data/volunteers.json", programme["companion_id"])
    if programme["mode"] == "live" and host["studio_course"] != 1 and (companion is None or companion["studio_course"] != 1):
        raise env.Error("without the studio course you go live only with a companion who has taken it")
    env.files.update("data/programmes.json", programme_id, {"status": "confirmed", "confirmed_at": env.now})
    return {"programme": _search_programmes_view(env, env.files.get("data/programmes.json", programme_id))}
