def solve(tools):
    island = next(row for row in tools.list_islands()["islands"] if row["name"] == "Hamnskär")
    vehicle = next(row for row in tools.list_vehicles()["vehicles"] if row["length_m"] == 4.4)
    departures = tools.list_departures(first_day="2026-08-29", last_day="2026-08-29", direction="out")["departures"]
    one = next(row for row in departures if row["leaves_at"] == "2026-08-29T13:00:00")
    try:
        tools.book_crossing(departure_id=one["departure_id"], island_id=island["island_id"], adults=2,
                            vehicle_id=vehicle["vehicle_id"])
    except tools.Error:
        return {
            "outcome": "refused",
            "answers": {},
            "reason": "cars_by_island",
            "message": "That cannot be booked: a vehicle for Hamnskär may travel only on the 9:00 departure, and none"
                       " runs on 29 August.",
        }
    return {"outcome": "done", "answers": {}, "reason": None, "message": "The car is booked on the 13:00."}
