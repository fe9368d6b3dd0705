"""Hotels from files: a search gives a handle, and the handle opens the details."""

import datetime


def search_places(env, *, name: str) -> dict:
    """Find places by a part of their name."""
    wanted = name.lower()
    places = env.files.records("places.json")
    return {"places": [place for place in places if wanted in place["name"].lower()]}


def search_hotels(env, *, place_id: str, check_in: str | None = None, nights: int | None = None) -> dict:
    """Search the hotels of a place. Without dates: one night from tomorrow. The handle is asked for by the details."""
    if env.files.get("places.json", place_id) is None:
        raise env.Error(f"There is no place {place_id}.")
    start, length = _stay(env, check_in, nights)
    hotels = env.files.records("hotels.json", {"place_id": place_id})
    return {"handle": f"{place_id}/{start}/{length}", "hotels": hotels}


def get_hotel_details(env, *, handle: str, hotel_id: str) -> dict:
    """What there is to know of a hotel that a search has shown."""
    hotel, _, _ = _opened(env, handle, hotel_id)
    details = env.files.get("hotel_details.json", hotel_id)
    if details is None:
        raise env.Error(f"Nothing more is known of {hotel_id}.")
    names = {one["id"]: one["name"] for one in env.files.records("facilities.json")}
    facilities = [names[number] for number in details["facility_ids"]]
    return {
        "hotel_id": hotel_id,
        "name": hotel["name"],
        "check_in": details["check_in"],
        "facilities": facilities,
        "check_out": details["check_out"],
        "pets": details["pets"],
        "description": details["description"],
    }


def get_rates(env, *, handle: str, hotel_id: str) -> dict:
    """What the stay of a search costs in a hotel, board by board."""
    _, _, nights = _opened(env, handle, hotel_id)
    rates = env.files.records("rates.json", {"hotel_id": hotel_id})
    return {
        "rates": [
            {
                "rate_id": rate["rate_id"],
                "board": rate["board"],
                "currency": rate["currency"],
                "total": rate["price"] * nights,
            }
            for rate in rates
        ]
    }


def get_city(env, *, city: str) -> dict:
    """Where a city lies, and how many people live there."""
    found = env.files.records("world_cities.csv", {"city": city})
    return {"city": found[0] if found else None}


def book_hotel(env, *, handle: str, rate_id: str, guest: str) -> dict:
    """Book the stay of a search at a rate."""
    rate = env.files.get("rates.json", rate_id)
    if rate is None:
        raise env.Error(f"There is no rate {rate_id}.")
    _, start, nights = _opened(env, handle, rate["hotel_id"])
    code = env.new_id("BK")
    env.files.append(
        "bookings.json",
        {
            "code": code,
            "hotel_id": rate["hotel_id"],
            "rate_id": rate_id,
            "guest": guest,
            "check_in": start,
            "nights": nights,
            "total": rate["price"] * nights,
        },
    )
    return {"code": code, "total": rate["price"] * nights}


def _stay(env, check_in: str | None, nights: int | None):
    today = datetime.date.fromisoformat(env.now[:10])
    try:
        start = datetime.date.fromisoformat(check_in) if check_in else today + datetime.timedelta(days=1)
    except ValueError:
        raise env.Error(f"{check_in} is no date of the form 2026-03-09.") from None
    if start < today:
        raise env.Error("That day is over.")
    length = nights or 1
    if not 1 <= length <= 30:
        raise env.Error("A stay is of 1 to 30 nights.")
    return start.isoformat(), length


def _opened(env, handle: str, hotel_id: str):
    parts = handle.split("/")
    hotel = env.files.get("hotels.json", hotel_id)
    if len(parts) != 3 or not parts[2].isdigit() or hotel is None or hotel["place_id"] != parts[0]:
        raise env.Error(f"That search has shown no hotel {hotel_id}.")
    start, nights = _stay(env, parts[1], int(parts[2]))
    return hotel, start, nights
