def solve(tools):
    arrives, leaves = "2026-08-14", "2026-08-17"
    islands = tools.list_islands()["islands"]
    island = next(row for row in islands if row["name"] == "Hamnskär")
    vehicle = next(row for row in tools.list_vehicles()["vehicles"] if row["plate"] == "RTK-318")
    cabins = [row for row in tools.search_cabins(arrives_on=arrives, leaves_on=leaves, island_id=island["island_id"],
                                                 min_beds=3)["cabins"] if row["is_free"]]
    cabin = max(cabins, key=lambda row: row["name"])
    stay = tools.book_stay(cabin_id=cabin["cabin_id"], arrives_on=arrives, leaves_on=leaves, adults=2,
                           children=1)["stay"]
    for day, direction in ((arrives, "out"), (leaves, "back")):
        departures = tools.list_departures(first_day=day, last_day=day, direction=direction)["departures"]
        nine = next(row for row in departures if row["leaves_at"] == day + "T09:00:00")
        tools.book_crossing(departure_id=nine["departure_id"], island_id=island["island_id"], adults=2, children=1,
                            vehicle_id=vehicle["vehicle_id"], stay_id=stay["stay_id"])
    return {
        "outcome": "done",
        "answers": {},
        "reason": None,
        "message": f"{cabin['name']} is booked from {arrives} to {leaves}, and the three of you and the car are on the"
                   " 9:00 on Friday and the 9:00 back on Monday.",
    }
