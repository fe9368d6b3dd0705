from datetime import datetime, timedelta


def fits(half_day, start, minutes):
    begin, end = start.isoformat(), (start + timedelta(minutes=minutes)).isoformat()
    return (
        half_day["starts_at"] <= begin
        and end <= half_day["ends_at"]
        and all(end <= t["starts_at"] or t["ends_at"] <= begin for t in half_day["taken_times"])
    )


def solve(tools):
    cuts = {s["barber_id"]: s for s in tools.search_services(name="children's cut")["services"]}
    found = tools.search_chair_rentals(
        first_day="2026-10-07", last_day="2026-10-07", half="afternoon", status="active"
    )["chair_rentals"]
    offers = sorted(
        ((cuts[r["barber_id"]], r) for r in found if r["barber_id"] in cuts),
        key=lambda offer: offer[0]["price_cents"],
    )
    starts = [datetime(2026, 10, 7, 15, 0) + timedelta(minutes=m) for m in range(9 * 60)]
    cheapest = None
    for cut, rental in offers:
        half_day = tools.get_chair_rental(chair_rental_id=rental["id"])
        if any(fits(half_day, s, cut["duration_minutes"]) for s in starts):
            cheapest = cut["barber_name"]
            break
    listed = "; ".join(
        f"{cut['barber_name']}, {cut['duration_minutes']} minutes, {cut['price_cents'] / 100:.2f} euros"
        for cut, _ in offers
    )
    if cheapest is None:
        last = "None of them has a free slot after 15:00 that is long enough."
    else:
        last = f"The cheapest of those who still have a free slot long enough after 15:00 is {cheapest}."
    return {
        "outcome": "done",
        "answers": {
            "barbers": [cut["barber_name"] for cut, _ in offers],
            "lengths": [cut["duration_minutes"] for cut, _ in offers],
            "prices": [cut["price_cents"] for cut, _ in offers],
            "cheapest_with_slot_after_15": cheapest,
        },
        "reason": None,
        "message": f"Working on Wednesday afternoon, 7 October, and offering a children's cut: {listed}. {last}",
    }
