def solve(tools):
    in_boxes = {}
    for box in tools.list_store_places(kind="box")["store_places"]:
        if box["vials_in"] == 0:
            continue
        for sample in tools.search_samples(store_place_id=box["id"])["samples"]:
            in_boxes[sample["project_id"]] = in_boxes.get(sample["project_id"], 0) + sample["vials_left"]
    spare = {}
    racks = {}
    for project_id, vials in in_boxes.items():
        racks[project_id] = tools.list_store_places(project_id=project_id)["store_places"]
        spare[project_id] = sum(rack["vials_free"] for rack in racks[project_id]) - vials
    tightest = min(spare, key=lambda project_id: spare[project_id])
    shown = tools.get_project(project_id=tightest)
    leader = next(one for one in shown["members"] if one["id"] == shown["project"]["leader_id"])
    given_back = False
    for project_id in in_boxes:
        project = tools.get_project(project_id=project_id)
        if project["project"]["leader_name"] != "Sofia Berglund":
            continue
        for rack in racks[project_id]:
            if rack["code"] == "B6" and rack["vials_in"] == 0 and spare[project_id] - rack["vials_free"] >= 0:
                booking = next(one for one in project["racks"] if one["store_place_id"] == rack["id"])
                tools.give_back_rack(booking_id=booking["booking_id"])
                given_back = True
    return {
        "outcome": "done",
        "answers": {
            "ring_first": leader["name"],
            "telephone": leader["phone"],
            "places_to_spare": spare[tightest],
            "b6_given_back": given_back,
        },
        "reason": None,
        "message": f"Ring {leader['name']} first ({leader['phone']}): only {spare[tightest]} places are to spare there. "
                   + ("B6 is given back." if given_back else "B6 stays with Sofia, her vials would not fit without it."),
    }
