def solve(tools):
    stay = next(row for row in tools.list_stays()["stays"]
                if row["cabin_name"] == "Lokki" and row["leaves_on"] == "2026-07-19")
    cabins = tools.search_cabins(arrives_on="2026-07-19", leaves_on="2026-07-20",
                                 island_id=stay["island_id"])["cabins"]
    if not next(row for row in cabins if row["cabin_id"] == stay["cabin_id"])["is_free"]:
        return {"outcome": "done", "answers": {}, "reason": None,
                "message": "Lokki is not free on the Sunday night, so everything stays as it is."}
    home = next(row for row in tools.list_crossings(status="booked", stay_id=stay["stay_id"])["crossings"]
                if row["direction"] == "back")
    departures = tools.list_departures(first_day="2026-07-20", last_day="2026-07-20", direction="back")["departures"]
    monday = next(row for row in departures if row["leaves_at"] == "2026-07-20T13:00:00")
    turns = [row for row in tools.search_sauna_turns(day="2026-07-19", island_id=stay["island_id"])["sauna_turns"]
             if row["starts_at"] >= "2026-07-19T18:00:00"]
    turn = max(turns, key=lambda row: row["starts_at"])
    tools.lengthen_stay(stay_id=stay["stay_id"], leaves_on="2026-07-20")
    tools.move_crossing(crossing_id=home["crossing_id"], departure_id=monday["departure_id"])
    tools.book_sauna_turn(sauna_id=turn["sauna_id"], starts_at=turn["starts_at"], stay_id=stay["stay_id"])
    return {
        "outcome": "done",
        "answers": {},
        "reason": None,
        "message": f"Lokki is yours until Monday 20 July, you go home at 13:00 that day, and the {turn['sauna_name']} is"
                   f" booked on Sunday at {turn['starts_at'][11:16]}.",
    }
