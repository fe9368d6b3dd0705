def solve(tools):
    places = tools.list_store_places()["store_places"]
    projects = {one["id"]: one for one in tools.search_projects()["projects"]}
    racks = sorted((one for one in places if one["kind"] == "rack" and one["cut_at_tests"] == 1 and one["vials_in"] > 0),
                   key=lambda one: one["code"])
    vials, codes, leaders, rooms, lines = [], [], [], [], []
    for rack in racks:
        project = projects[rack["project_id"]]
        room = sum(one["vials_free"] for one in places
                   if one["kind"] == "rack" and one["cut_at_tests"] == 0 and one["project_id"] == project["id"])
        vials.append(rack["vials_in"])
        codes.append(project["code"])
        leaders.append(project["leader_name"])
        rooms.append(room)
        members = tools.get_project(project_id=project["id"])["members"]
        phone = next(one["phone"] for one in members if one["id"] == project["leader_id"])
        lines.append(f"{rack['code']}: {rack['vials_in']} vials of {project['code']}, {project['leader_name']} ({phone}), {room} places in own A racks")
    kiruna = sum(one["vials_free"] for one in places if one["kind"] == "box")
    return {
        "outcome": "done",
        "answers": {
            "racks_with_vials": [one["code"] for one in racks],
            "vials": vials,
            "projects": codes,
            "leaders": leaders,
            "room_in_own_a_racks": rooms,
            "places_free_in_kiruna_boxes": kiruna,
        },
        "reason": None,
        "message": "; ".join(lines) + f". The Kiruna boxes have {kiruna} places free altogether.",
    }
