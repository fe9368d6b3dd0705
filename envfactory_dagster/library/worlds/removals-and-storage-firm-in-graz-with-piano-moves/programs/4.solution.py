import datetime


def solve(tools):
    today = datetime.date(2025, 7, 24)
    terms = tools.list_cancellation_terms()["cancellation_terms"]
    choices = []
    for removal in tools.list_removals(
        status="confirmed", first_day="2025-08-01", last_day="2025-08-31", street="Neufeldweg 140"
    )["removals"]:
        details = tools.get_removal(removal_id=removal["removal_id"])
        days = (datetime.date.fromisoformat(details["removal_day"]) - today).days
        term = max((t for t in terms if t["min_days_before"] <= days), key=lambda t: t["min_days_before"])
        choices.append((details["price_cents"] * term["percent_of_price"] / 100, details))
    removal = min(choices, key=lambda choice: choice[0])[1]
    cancelled = tools.cancel_removal(removal_id=removal["removal_id"])
    start = [address for address in removal["addresses"] if address["stop"] == "from"][0]
    offers = []
    for trip in tools.search_part_load_trips(
        destination="Vienna", first_day="2025-08-01", last_day="2025-08-31", status="open"
    )["part_load_trips"]:
        if trip["free_m3"] < 5:
            continue
        price = 5 * trip["price_per_m3_cents"]
        if 5 <= trip["discount_up_to_m3"]:
            price = price * (100 - trip["discount_percent"]) / 100
        offers.append((round(price) + start["floor"] * trip["floor_fee_cents"], trip))
    day = None
    price = None
    end = "That does not cover a place to Vienna, so I booked none."
    if offers:
        cheapest, trip = min(offers, key=lambda offer: offer[0])
        if cheapest <= cancelled["refund_cents"]:
            booking = tools.book_part_load(
                part_load_trip_id=trip["part_load_trip_id"],
                street=start["street"],
                town=start["town"],
                floor=start["floor"],
                has_usable_lift=0,
                volume_m3=5,
            )
            day = booking["trip_day"]
            price = booking["price_cents"]
            end = f"Your place to Vienna on {day} is booked for €{price / 100:.2f}."
    fee = cancelled["cancellation_fee_cents"]
    back = cancelled["refund_cents"]
    return {
        "outcome": "done",
        "answers": {
            "cancelled_day": removal["removal_day"],
            "cancellation_cost": fee,
            "comes_back": back,
            "vienna_day": day,
            "vienna_price": price,
        },
        "reason": None,
        "message": f"The move on {removal['removal_day']} is off; that costs €{fee / 100:.2f} and €{back / 100:.2f}"
        f" comes back. {end}",
    }
