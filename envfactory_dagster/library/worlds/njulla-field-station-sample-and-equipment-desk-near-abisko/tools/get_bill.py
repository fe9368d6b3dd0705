import datetime


def _desk_days(first, last):
    return (datetime.date.fromisoformat(last) - datetime.date.fromisoformat(first)).days + 1


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


def get_bill(env, *, project_id: int) -> dict:
    """Shows what a project owes up to today."""
    project = _desk_own_project(env, project_id)
    today = env.now[:10]
    places = {one["id"]: one for one in env.files.records("data/store_places.csv")}
    equipment = {one["id"]: one for one in env.files.records("data/equipment.json")}
    lines = []
    for one in env.files.records("bookings/2026.json", {"project_id": project_id}):
        if one["out_at"] is None:
            continue
        first = one["out_at"][:10]
        last = today if one["back_at"] is None else one["back_at"][:10]
        days = _desk_days(first, last)
        weeks = 0
        late = 0
        late_cents = 0
        if one["equipment_id"] is None:
            what = "Rack " + places[one["store_place_id"]]["code"]
            kind = "rack"
            weeks = (days + 6) // 7
            amount = weeks * places[one["store_place_id"]]["week_price_cents"]
        else:
            thing = equipment[one["equipment_id"]]
            what = thing["name"]
            kind = thing["kind"] if thing["kind"] in ("snowmobile", "snow_tube") else "corer"
            if last > one["until_on"]:
                late = min(days, _desk_days(one["until_on"], last) - 1)
            days -= late
            late_cents = late * thing["late_day_price_cents"]
            amount = days * thing["day_price_cents"] + late_cents
        lines.append({
            "booking_id": one["id"],
            "what": what,
            "kind": kind,
            "first_day": first,
            "last_day": last,
            "weeks": weeks,
            "days": days,
            "late_days": late,
            "late_cents": late_cents,
            "amount_cents": amount,
        })
    lines = sorted(lines, key=lambda line: (line["first_day"], line["booking_id"]))
    return {
        "project_id": project_id,
        "project_code": project["code"],
        "up_to": today,
        "lines": lines,
        "rack_cents": sum(line["amount_cents"] for line in lines if line["kind"] == "rack"),
        "corer_cents": sum(line["amount_cents"] for line in lines if line["kind"] == "corer"),
        "snowmobile_cents": sum(line["amount_cents"] for line in lines if line["kind"] == "snowmobile"),
        "snow_tube_cents": sum(line["amount_cents"] for line in lines if line["kind"] == "snow_tube"),
        "late_cents": sum(line["late_cents"] for line in lines),
        "total_cents": sum(line["amount_cents"] for line in lines),
    }
