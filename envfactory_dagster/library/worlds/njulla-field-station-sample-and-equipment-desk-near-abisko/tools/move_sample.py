import datetime


DESK_FIRST_TEST_DAY = "2026-01-07"


DESK_DAYS_BETWEEN_TESTS = 14


DESK_CUT_FROM = "08:30:00"


DESK_CUT_UNTIL = "15:00:00"


DESK_DRY_ICE_ENDS = "18:00:00"


def _desk_day(day, by):
    return (datetime.date.fromisoformat(day) + datetime.timedelta(days=by)).isoformat()


def _desk_days(first, last):
    return (datetime.date.fromisoformat(last) - datetime.date.fromisoformat(first)).days + 1


def _desk_is_test_day(day):
    return day >= DESK_FIRST_TEST_DAY and (_desk_days(DESK_FIRST_TEST_DAY, day) - 1) % DESK_DAYS_BETWEEN_TESTS == 0


def _desk_dry_ice_until(moment):
    day = moment[:10]
    wednesday = _desk_day(day, 2 - datetime.date.fromisoformat(day).weekday())
    until = _desk_day(wednesday, 1) + "T" + DESK_DRY_ICE_ENDS
    if _desk_is_test_day(wednesday) and moment <= until:
        return until
    return None


def _desk_project(env, project_id):
    project = env.files.get("data/projects.yaml", project_id)
    if project is None:
        raise env.Error(f"there is no project {project_id}")
    return project


def _desk_is_technician(env):
    person = env.files.get("data/people.json", env.user_id)
    return person is not None and person["role"] == "technician"


def _desk_own_project(env, project_id):
    project = _desk_project(env, project_id)
    if not _desk_is_technician(env):
        mine = env.files.count("data/project_members.csv", {"project_id": project_id, "person_id": env.user_id})
        if mine == 0:
            raise env.Error(f"{project['code']} is not a project of yours: only its members and the technician may do this")
    return project


def _desk_place(env, store_place_id):
    place = env.files.get("data/store_places.csv", store_place_id)
    if place is None:
        raise env.Error(f"there is no rack or box {store_place_id}")
    return place


def _desk_sample_left(env):
    left = {}
    for one in env.files.records("samples/2026.json"):
        left[one["id"]] = one["vials"]
    for one in env.files.records("samples/departures_2026.jsonl"):
        left[one["sample_id"]] -= one["vials"]
    return left


def _desk_vials_in(env, store_place_id):
    left = _desk_sample_left(env)
    return sum(left[one["id"]] for one in env.files.records("samples/2026.json", {"store_place_id": store_place_id}))


def _desk_sample_views(env, samples):
    left = _desk_sample_left(env)
    projects = {one["id"]: one for one in env.files.records("data/projects.yaml")}
    sites = {one["id"]: one for one in env.files.records("data/sites.csv")}
    places = {one["id"]: one for one in env.files.records("data/store_places.csv")}
    views = []
    for one in samples:
        views.append({
            "id": one["id"],
            "number": one["number"],
            "project_id": one["project_id"],
            "project_code": projects[one["project_id"]]["code"],
            "site_id": one["site_id"],
            "site_name": sites[one["site_id"]]["name"],
            "material": one["material"],
            "vials": one["vials"],
            "vials_left": left[one["id"]],
            "arrived_at": one["arrived_at"],
            "registered_by_id": one["registered_by_id"],
            "status": one["status"],
            "store_place_id": one["store_place_id"],
            "store_place_code": None if one["store_place_id"] is None else places[one["store_place_id"]]["code"],
            "placed_at": one["placed_at"],
        })
    return views


def _desk_sample(env, sample_id):
    sample = env.files.get("samples/2026.json", sample_id)
    if sample is None:
        raise env.Error(f"there is no sample {sample_id}")
    return sample


def _desk_check_place(env, project, place, vials):
    if place["kind"] == "rack":
        held = env.files.count("bookings/2026.json", {"store_place_id": place["id"], "project_id": project["id"], "status": "out"})
        if held == 0:
            raise env.Error(f"{project['code']} does not hold rack {place['code']}")
        if place["cut_at_tests"] == 1 and _desk_is_test_day(env.now[:10]) and DESK_CUT_FROM <= env.now[11:] < DESK_CUT_UNTIL:
            raise env.Error(f"rack {place['code']} is without current from 08:30 to 15:00 today")
    elif _desk_dry_ice_until(env.now) is None:
        raise env.Error("the Kiruna boxes stand on dry ice only from Monday to Thursday 18:00 of a week with a generator test")
    free = place["capacity_vials"] - _desk_vials_in(env, place["id"])
    if vials > free:
        raise env.Error(f"{place['code']} has room for {free} more vials, not for {vials}")


def move_sample(env, *, sample_id: int, store_place_id: int) -> dict:
    """Moves all vials of a sample that are left to another rack or box."""
    sample = _desk_sample(env, sample_id)
    project = _desk_own_project(env, sample["project_id"])
    if sample["status"] == "gone":
        raise env.Error(f"{sample['number']} is gone: none of its vials is left")
    place = _desk_place(env, store_place_id)
    if sample["store_place_id"] == store_place_id:
        raise env.Error(f"{sample['number']} stands in {place['code']} already")
    _desk_check_place(env, project, place, _desk_sample_left(env)[sample_id])
    env.files.update("samples/2026.json", sample_id, {"store_place_id": store_place_id, "placed_at": env.now})
    return {"sample": _desk_sample_views(env, [env.files.get("samples/2026.json", sample_id)])[0]}
