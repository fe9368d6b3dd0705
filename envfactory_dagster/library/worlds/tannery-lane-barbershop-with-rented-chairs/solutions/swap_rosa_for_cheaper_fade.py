from datetime import datetime, timedelta


def fits(half_day, start, minutes):
    begin, end = start.isoformat(), (start + timedelta(minutes=minutes)).isoformat()
    return (
        half_day["starts_at"] <= begin
        and end <= half_day["ends_at"]
        and all(end <= t["starts_at"] or t["ends_at"] <= begin for t in half_day["taken_times"])
    )


def solve(tools):
    mine = tools.list_my_appointments(first_day="2026-04-16", last_day="2026-04-16")["appointments"]
    cut = next(
        a for a in mine
        if a["barber_name"] == "Rosa Hale"
        and a["service_name"] == "Haircut"
        and a["status"] in ("booked", "confirmed")
    )
    services = tools.search_services(name="skin fade")["services"]
    fade = min(
        (s for s in services if s["barber_name"] in ("Imran Sadiq", "Piotr Wolny")),
        key=lambda s: s["price_cents"],
    )
    found = tools.search_chair_rentals(
        barber_id=fade["barber_id"], first_day="2026-04-18", last_day="2026-04-18",
        half="morning", status="active",
    )["chair_rentals"]
    half_days = [tools.get_chair_rental(chair_rental_id=r["id"]) for r in found]
    minutes = fade["duration_minutes"]
    every = [datetime(2026, 4, 18) + timedelta(minutes=m) for m in range(11 * 60)]  # starts before 11:00
    noon = datetime(2026, 4, 18, 12, 0)
    free = [
        s for s in every
        if s + timedelta(minutes=minutes) <= noon and any(fits(h, s, minutes) for h in half_days)
    ]
    start = free[0]
    # The haircut goes first: at most 2 open appointments are allowed.
    tools.cancel_appointment(appointment_id=cut["id"])
    new = tools.book_appointment(service_id=fade["id"], starts_at=start.isoformat())["appointment"]
    return {
        "outcome": "done",
        "answers": {},
        "reason": None,
        "message": (
            f"Thursday's haircut with Rosa Hale is cancelled. You are booked for a skin fade with "
            f"{new['barber_name']}, who charges less ({new['price_cents'] / 100:.2f} euros), on Saturday 18 April "
            f"from {new['starts_at'][11:16]} to {new['ends_at'][11:16]}."
        ),
    }
