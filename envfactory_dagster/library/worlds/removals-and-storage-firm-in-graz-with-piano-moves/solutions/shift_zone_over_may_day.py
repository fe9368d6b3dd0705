def solve(tools):
    removal = tools.list_removals(status="confirmed", street="Morellenfeldgasse 9")["removals"][0]
    details = tools.get_removal(removal_id=removal["removal_id"])
    here = {a["removal_address_id"] for a in details["addresses"] if a["street"] == "Morellenfeldgasse 9"}
    zone = [
        z
        for z in details["zones"]
        if z["zone_day"] == "2025-04-30" and z["status"] != "withdrawn" and z["removal_address_id"] in here
    ][0]
    try:
        tools.move_zone(no_stopping_zone_id=zone["no_stopping_zone_id"], zone_day="2025-05-02")
    except tools.Error:
        return {
            "outcome": "refused",
            "answers": {},
            "reason": "zone_lead_time",
            "message": "I cannot move the zone to 2 May: at least 10 working days have to lie between the request and"
            " that day, and with Easter Monday and 1 May in between there are fewer.",
        }
    return {
        "outcome": "done",
        "answers": {},
        "reason": None,
        "message": "The zone at Morellenfeldgasse 9 is moved to Friday 2 May.",
    }
