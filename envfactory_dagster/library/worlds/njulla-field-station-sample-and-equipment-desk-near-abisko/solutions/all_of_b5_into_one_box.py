def solve(tools):
    places = tools.list_store_places()["store_places"]
    b5 = next(one for one in places if one["code"] == "B5")
    box = next(one for one in places if one["code"] == "Kiruna 4")
    samples = tools.search_samples(store_place_id=b5["id"])["samples"]
    vials = sum(one["vials_left"] for one in samples if "peat" in one["material"].lower())
    return {
        "outcome": "refused",
        "answers": {},
        "reason": "kiruna_boxes_test_weeks",
        "message": f"That cannot be done: a Kiruna box never holds more than {box['capacity_vials']} vials, and Hanna has {vials} in B5. Nothing was moved.",
    }
