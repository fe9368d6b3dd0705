import datetime


def solve(tools):
    quota = tools.get_night_quota()
    nights = quota["season_nights_limit"] - quota["season_nights_counted"]
    first = "2026-09-14"
    last = (datetime.date.fromisoformat(first) + datetime.timedelta(days=nights)).isoformat()
    cabins = {cabin["name"]: cabin for cabin in tools.search_cabins(arrives_on=first, leaves_on=last)["cabins"]}
    by_boat = cabins["Kajuta"]["is_free"]
    cabin = cabins["Kajuta" if by_boat else "Ruffi"]
    stay = tools.book_stay(cabin_id=cabin["cabin_id"], arrives_on=first, leaves_on=last, adults=2,
                           own_boat=1 if by_boat else 0)["stay"]
    cost = stay["price_cents"] + tools.add_dog(stay_id=stay["stay_id"], name="Tessa")["dog"]["price_cents"]
    number = None
    if by_boat:
        moorings = [mooring for mooring in tools.search_moorings(
            arrives_on=first, leaves_on=last, boat_length_m=9.4)["moorings"] if mooring["island_name"] == "Hamnskär"]
        mooring = min(moorings, key=lambda row: row["number"])
        booking = tools.book_mooring(mooring_id=mooring["mooring_id"], arrives_on=first, leaves_on=last,
                                     boat_name="Havsörn", boat_length_m=9.4)["mooring_booking"]
        cost += booking["price_cents"]
        number = booking["number"]
    where = f" with mooring {number} on Hamnskär" if number else ""
    return {
        "outcome": "done",
        "answers": {"cabin": cabin["name"], "leaves_on": last, "mooring_number": number, "total_cost": cost},
        "reason": None,
        "message": f"{cabin['name']} is booked{where} until {last}, with Tessa, for {cost / 100:.2f} euros together.",
    }
