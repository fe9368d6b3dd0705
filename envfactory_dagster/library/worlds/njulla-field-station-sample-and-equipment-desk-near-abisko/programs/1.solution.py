import datetime


def _days(first, last):
    return (datetime.date.fromisoformat(last[:10]) - datetime.date.fromisoformat(first[:10])).days + 1


def solve(tools):
    desk = tools.get_desk_today()
    me = desk["person"]
    project = tools.search_projects(query="NJ-26-14")["projects"][0]
    aila = None
    for person in tools.search_people(name="Aila Sarri", project_id=project["id"])["people"]:
        aila = person
    days = {me["id"]: 0, aila["id"]: 0}
    trip = None
    for booking in tools.search_bookings(project_id=project["id"])["bookings"]:
        if booking["driver_id"] is None:
            continue
        if booking["out_at"] is not None and booking["driver_id"] in days:
            days[booking["driver_id"]] += _days(booking["out_at"], booking["back_at"] or desk["now"])
        if booking["status"] == "booked" and (trip is None or booking["from_on"] < trip["from_on"]):
            trip = booking
    driver = me if days[me["id"]] < days[aila["id"]] else aila
    if trip["driver_id"] != driver["id"]:
        tools.change_booking(booking_id=trip["id"], driver_id=driver["id"])
    return {
        "outcome": "done",
        "answers": {"driver": driver["name"], "days_so_far": days[driver["id"]]},
        "reason": None,
        "message": f"{driver['name']} drives on the trip from {trip['from_on']}; so far she has had a snowmobile out on {days[driver['id']]} day(s).",
    }
