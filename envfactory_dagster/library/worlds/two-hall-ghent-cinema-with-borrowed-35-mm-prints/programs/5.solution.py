def solve(tools):
    halls = {}
    for row in tools.search_screenings(first_day="2025-11-17", last_day="2025-11-30")["screenings"]:
        halls[row["hall_name"]] = row["hall_id"]
    shows = {}
    for name in ("Zaal 1", "Zaal 2"):
        found = tools.search_screenings(first_day="2025-11-17", last_day="2025-11-30", hall_id=halls[name], kind="public")["screenings"]
        shows[name] = [s for s in found if s["starts_at"][11:16] >= "18:00"]
    totals = {name: sum(s["seats_left"] for s in rows) for name, rows in shows.items()}
    roomier = "Zaal 1" if totals["Zaal 1"] > totals["Zaal 2"] else "Zaal 2"
    emptiest = max(shows[roomier], key=lambda s: s["seats_left"])
    day = emptiest["starts_at"][:10]
    price = tools.get_screening(screening_id=emptiest["id"])["price_standard_cents"]
    return {
        "outcome": "done",
        "answers": {"zaal_1_seats": totals["Zaal 1"], "zaal_2_seats": totals["Zaal 2"], "emptiest_film": emptiest["title_name"], "emptiest_day": day, "standard_price": price},
        "reason": None,
        "message": f"Zaal 1 has {totals['Zaal 1']} seats left and Zaal 2 {totals['Zaal 2']}; the emptiest evening in {roomier} is {emptiest['title_name']} on {day}, at €{price / 100:.2f} a standard ticket.",
    }
