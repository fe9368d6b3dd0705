def solve(tools):
    nights = tools.list_night_reruns(first_night="2026-04-01", last_night="2026-04-14")["night_reruns"]
    programmes = {one["id"]: one for one in tools.search_programmes()["programmes"]}
    me = tools.get_my_profile()
    mine = 0
    marts = 0
    for night in nights:
        host = programmes[night["programme_id"]]
        if host["host_id"] == me["id"]:
            mine += 1
        elif host["host_name"] == "Mart Oja":
            marts += 1
    given = False
    if mine > marts:
        saturday = next(one for one in nights if one["night"] == "2026-04-11")
        waltz = next(
            one for one in programmes.values()
            if one["series_title"] == "Vinüülivalss" and one["starts_at"][:10] == "2026-04-04" and one["status"] != "called_off"
        )
        tools.swap_night_rerun(night_rerun_id=saturday["id"], programme_id=waltz["id"])
        given = True
    message = f"{mine} of the nights go to hours that you hosted and {marts} to Mart Oja's. "
    if given:
        message += "The night of 11 April now goes to his Vinüülivalss of 4 April."
    else:
        message += "So I left the nights as they are."
    return {
        "outcome": "done",
        "answers": {"my_nights": mine, "marts_nights": marts},
        "reason": None,
        "message": message,
    }
