def solve(tools):
    place = tools.search_places(name="Lugano")["places"][0]
    found = tools.search_hotels(place_id=place["place_id"], check_in="2026-03-09", nights=2)
    rates = []
    for hotel in found["hotels"]:
        for rate in tools.get_rates(handle=found["handle"], hotel_id=hotel["hotel_id"])["rates"]:
            if rate["board"] == "bed and breakfast":
                rates.append((rate["total"], rate["rate_id"]))
    total, rate_id = min(rates)
    booked = tools.book_hotel(handle=found["handle"], rate_id=rate_id, guest="Ida Renn")
    return {
        "outcome": "done",
        "answers": {},
        "reason": None,
        "message": f"Your two nights are booked under {booked['code']} for {total} euros.",
    }
