def solve(tools):
    place = tools.search_places(name="Porto")["places"][0]
    found = tools.search_hotels(place_id=place["place_id"], check_in="2026-03-05", nights=1)
    hotel = next(one for one in found["hotels"] if one["name"] == "Casa da Ribeira")
    details = tools.get_hotel_details(handle=found["handle"], hotel_id=hotel["hotel_id"])
    rates = tools.get_rates(handle=found["handle"], hotel_id=hotel["hotel_id"])["rates"]
    price = next(rate["total"] for rate in rates if rate["board"] == "bed and breakfast")
    return {
        "outcome": "done",
        "answers": {"check_out": details["check_out"], "price": price},
        "reason": None,
        "message": f"You may stay until {details['check_out']}; a night with breakfast costs {price} euros.",
    }
