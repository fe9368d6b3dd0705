import datetime

def swap_night_rerun(env, *, night_rerun_id: int, programme_id: int) -> dict:
    """Puts another programme in place of a night's rerun, until noon of that day."""
    rerun = env.files.get("data/night_reruns.csv", night_rerun_id)
    if rerun is None:
        raise env.Error(f"there is no night rerun {night_rerun_id}")
    programme = env.files.get("data/programmes.json", programme_id)
    if programme is None:
        raise env.Error(f"there is no programme {programme_id}")
    if env.now > rerun["night"] + "T12:00:00":
        raise env.Error("a night rerun may be swapped until noon of that day")
    if rerun["swapped_by_id"] not in (None, env.user_id):
        other = env.files.get("data/volunteers.json", rerun["swapped_by_id"])
        raise env.Error(f"{other['name']} has swapped that night already")
    if programme["status"] == "called_off":
        raise env.Error("that programme was called off")
    if programme["status"] == "planned":
        raise env.Error("that programme has not been confirmed")
    end = datetime.datetime.fromisoformat(programme["starts_at"]) + datetime.timedelta(hours=1)
    if env.now < end.isoformat():
        raise env.Error("that programme has not gone out yet")
    if programme_id == rerun["programme_id"]:
        raise env.Error("that programme is heard that night already")
    env.files.update("data/night_reruns.csv", night_rerun_id,
                     {"programme_id": programme_id, "swapped_by_id": env.user_id, "swapped_at": env.now})
    me = env.files.get("data/volunteers.json", env.user_id)
    return {
        "night_rerun": {
            "id": rerun["id"],
            "night": rerun["night"],
            "programme_id": programme_id,
            "programme_title": programme["title"],
            "programme_starts_at": programme["starts_at"],
            "swapped_by_id": env.user_id,
            "swapped_by_name": me["name"],
            "swapped_at": env.now,
        }
    }
