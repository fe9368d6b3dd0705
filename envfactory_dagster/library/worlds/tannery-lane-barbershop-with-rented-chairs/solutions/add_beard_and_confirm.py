from datetime import datetime, timedelta


def solve(tools):
    mine = tools.list_my_appointments(first_day="2026-04-16", last_day="2026-04-16")["appointments"]
    cut = next(
        a for a in mine
        if a["barber_name"] == "Rosa Hale"
        and a["service_name"] == "Haircut"
        and a["status"] in ("booked", "confirmed")
    )
    services = tools.search_services(barber_id=cut["barber_id"], name="haircut with beard trim")["services"]
    wanted = next(s for s in services if s["name"].lower() == "haircut with beard trim")
    half_day = tools.get_chair_rental(chair_rental_id=cut["chair_rental_id"])
    end = datetime.fromisoformat(cut["starts_at"]) + timedelta(minutes=wanted["duration_minutes"])
    later = [t["starts_at"] for t in half_day["taken_times"] if t["starts_at"] > cut["starts_at"]]
    has_time = end.isoformat() <= min(later + [half_day["ends_at"]])
    cheap_enough = wanted["price_cents"] <= 4000
    if has_time and cheap_enough:
        tools.change_appointment_service(appointment_id=cut["id"], service_id=wanted["id"])
    if cut["status"] == "booked":
        tools.confirm_appointment(appointment_id=cut["id"])
    now = tools.get_appointment(appointment_id=cut["id"])["appointment"]
    if has_time and cheap_enough:
        first = "Your appointment with Rosa Hale is now a haircut with beard trim"
    elif not cheap_enough:
        first = "Rosa Hale's haircut with beard trim costs more than 40 euros, so it stays a plain haircut"
    else:
        first = "Rosa Hale has no time for the beard trim as well, so it stays a plain haircut"
    return {
        "outcome": "done",
        "answers": {"price_to_pay": now["price_cents"]},
        "reason": None,
        "message": (
            f"{first}, on Thursday 16 April at {now['starts_at'][11:16]}, and it is confirmed. "
            f"You will pay {now['price_cents'] / 100:.2f} euros."
        ),
    }
