def solve(tools):
    hours = tools.search_programmes(first_day="2026-04-12", last_day="2026-04-19", only_mine=True)["programmes"]
    mine = {one["starts_at"][:10]: one for one in hours if one["series_title"] == "Emajõe hommik" and one["status"] != "called_off"}
    first = mine["2026-04-12"]
    second = mine["2026-04-19"]
    taken = {
        int(one["starts_at"][11:13])
        for one in tools.search_programmes(first_day="2026-04-12", last_day="2026-04-12")["programmes"]
        if one["status"] != "called_off"
    }
    held = {one["start_hour"] for one in tools.list_series(weekday="sunday")["series"] if one["title"] != "Emajõe hommik"}
    free = [hour for hour in range(12, 18) if hour not in taken and hour not in held]
    moved = tools.move_programme(programme_id=first["id"], starts_at=f"2026-04-12T{free[2]:02d}:00:00")["programme"]
    tools.call_off_programme(programme_id=second["id"])
    new_time = moved["starts_at"][11:16]
    return {
        "outcome": "done",
        "answers": {"new_time": new_time},
        "reason": None,
        "message": f"Your Emajõe hommik of 12 April goes out that Sunday at {new_time}, and the one of 19 April is called off.",
    }
