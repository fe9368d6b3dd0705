from datetime import date, timedelta


def _next(day, kind):
    first = date.fromisoformat(day) + timedelta(days=1)
    if kind == "pallet":
        return (first + timedelta(days=6)).isoformat()
    year, month = (first.year + 1, 1) if first.month == 12 else (first.year, first.month + 1)
    return (date(year, month, first.day) - timedelta(days=1)).isoformat()


def solve(tools):
    places = {}
    for rental in tools.list_storage_rentals(status="running")["storage_rentals"]:
        if rental["kind"] in ("rack", "pallet"):
            times, until = 0, rental["paid_until"]
            while until < "2026-06-30":
                times, until = times + 1, _next(until, rental["kind"])
            places[rental["kind"]] = (rental, times)
    cost = sum(rental["price_cents"] * times for rental, times in places.values())
    credit = tools.get_credit_balance()["total_cents"]
    kept = credit >= cost
    until = places["rack"][0]["paid_until"]
    if not kept:
        tools.end_storage_rental(storage_rental_id=places["pallet"][0]["storage_rental_id"])
    for kind in ("rack", "pallet") if kept else ("rack",):
        rental, times = places[kind]
        for _ in range(times):
            paid = tools.pay_storage_rental(storage_rental_id=rental["storage_rental_id"], use_credit=True)
            if kind == "rack":
                until = paid["storage_rental"]["paid_until"]
    left = tools.get_credit_balance()["total_cents"]
    laser = [row for row in tools.search_stations(code="L")["stations"] if row["machine"] == "Laser 60 W"][0]
    booked = left >= 2 * laser["hour_price_cents"]
    if booked:
        tools.book_hours(
            station_id=laser["station_id"],
            starts_at="2026-06-21T11:00:00",
            ends_at="2026-06-21T13:00:00",
            use_credit=True,
        )
        left = tools.get_credit_balance()["total_cents"]
    return {
        "outcome": "done",
        "answers": {"both_places": cost, "rack_paid_until": until, "pallet_kept": kept, "credit_left": left},
        "reason": None,
        "message": f"The two places would have cost {cost / 100:.2f} euros together. The rack place is paid up to {until}, "
        + ("you still have the pallet place, " if kept else "the pallet place is given up, ")
        + ("the small laser is booked, " if booked else "the small laser is not booked, ")
        + f"and {left / 100:.2f} euros of credit are left.",
    }
