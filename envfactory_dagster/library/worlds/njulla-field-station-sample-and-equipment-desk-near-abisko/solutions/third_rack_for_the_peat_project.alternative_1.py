def solve(tools):
    today = tools.get_desk_today()["now"][:10]
    peat = next(one for one in tools.search_projects(query="peat")["projects"] if one["leader_name"] == "Hanna Kallio")
    tools.enter_rack_signature(project_id=peat["id"], signed_on=today)
    overdue = tools.search_bookings(project_id=peat["id"], overdue_only=True)["bookings"]
    if overdue:
        things = [one["equipment_name"] or one["store_place_code"] for one in overdue]
        people = [one["booked_by_name"] for one in overdue]
        message = "The signature is entered; no rack was taken, for this is overdue: "
        message += ", ".join(f"{thing} ({person})" for thing, person in zip(things, people)) + "."
    else:
        things = None
        people = None
        free = tools.list_store_places(free_racks_only=True)["store_places"]
        free = [one for one in free if one["cut_at_tests"] == 0] or free
        rack = free[-1]
        tools.take_rack(project_id=peat["id"], store_place_id=rack["id"], until_on=peat["ends_on"])
        message = f"The signature is entered, nothing is overdue, and {rack['code']} is taken for the peat project until {peat['ends_on']}."
    return {"outcome": "done", "answers": {"overdue_things": things, "who_has_them": people}, "reason": None, "message": message}
