def solve(tools):
    project = tools.search_projects(query="NJ-26-14")["projects"][0]
    vials = 0
    for sample in tools.search_samples(project_id=project["id"], query="snow melt", status="in_store")["samples"]:
        tools.record_departure(sample_id=sample["id"], vials=sample["vials_left"], reason="used_up", left_on="2026-04-11")
        vials += sample["vials_left"]
    places = 0
    for rack in tools.list_store_places(project_id=project["id"])["store_places"]:
        if rack["code"] == "A4":
            places = rack["vials_free"]
    return {
        "outcome": "done",
        "answers": {"vials_used_up": vials, "places_in_a4": places},
        "reason": None,
        "message": f"{vials} vials of snow melt are entered as used up on 11 April; A4 now has {places} places free.",
    }
