from datetime import datetime, timedelta


def fits(half_day, start, minutes):
    begin, end = start.isoformat(), (start + timedelta(minutes=minutes)).isoformat()
    return (
        half_day["starts_at"] <= begin
        and end <= half_day["ends_at"]
        and all(end <= t["starts_at"] or t["ends_at"] <= begin for t in half_day["taken_times"])
    )


def solve(tools):
    services = tools.search_services(name="haircut", max_price_cents=2800)["services"]
    haircuts = {s["barber_id"]: s for s in services if s["name"].lower() == "haircut"}
    found = tools.search_chair_rentals(
        first_day="2026-10-06", last_day="2026-10-06", half="morning", status="active"
    )["chair_rentals"]
    opening, closing = datetime(2026, 10, 6, 8, 30), datetime(2026, 10, 6, 12, 0)
    free = []  # pairs of start and service that lie wholly between 8:30 and 12:00
    for rental in found:
        service = haircuts.get(rental["barber_id"])
        if service is None:
            continue
        half_day = tools.get_chair_rental(chair_rental_id=rental["id"])
        minutes = service["duration_minutes"]
        start = opening
        while start + timedelta(minutes=minutes) <= closing:
            if fits(half_day, start, minutes):
                free.append((start, service))
            start += timedelta(minutes=1)
    start, service = min((f for f in free if f[0].minute == 0), key=lambda f: (f[0], f[1]["price_cents"]))
    booked = tools.book_appointment(service_id=service["id"], starts_at=start.isoformat())["appointment"]
    done = tools.confirm_appointment(appointment_id=booked["id"])["appointment"]
    return {
        "outcome": "done",
        "answers": {"barber": done["barber_name"]},
        "reason": None,
        "message": (
            f"Your haircut tomorrow, Tuesday 6 October, is with {done['barber_name']} from {done['starts_at'][11:16]} "
            f"to {done['ends_at'][11:16]}, booked and confirmed for {done['price_cents'] / 100:.2f} euros."
        ),
    }
