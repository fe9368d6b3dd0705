def solve(tools):
    island = [row for row in tools.list_islands()["islands"] if row["name"] == "Storlandet"][0]
    choices = []
    for day in ("2026-07-16", "2026-08-20"):
        departures = tools.list_departures(first_day=day, last_day=day)["departures"]
        out = [row for row in departures
               if row["direction"] == "out" and row["leaves_at"] == day + "T13:00:00"][0]
        back = [row for row in departures
                if row["direction"] == "back" and row["leaves_at"] == day + "T17:30:00"][0]
        choices.append((out["free_places"] + back["free_places"], day, out, back))
    _, day, out, back = max(choices, key=lambda choice: choice[0])
    fare = 0
    for departure in (out, back):
        crossing = tools.book_crossing(departure_id=departure["departure_id"], island_id=island["island_id"], adults=2)
        fare += crossing["crossing"]["price_cents"]
    return {
        "outcome": "done",
        "answers": {"day": day, "fare": fare},
        "reason": None,
        "message": f"Your parents are booked out and back on {day}, for {fare / 100:.2f} euros.",
    }
