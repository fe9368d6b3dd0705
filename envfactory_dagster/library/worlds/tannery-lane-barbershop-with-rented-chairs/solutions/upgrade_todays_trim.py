from datetime import datetime, timedelta


def solve(tools):
    mine = tools.list_my_appointments(first_day="2026-10-05", last_day="2026-10-05")["appointments"]
    trim = next(
        a for a in mine
        if a["barber_name"] == "Ned Calloway"
        and a["starts_at"] == "2026-10-05T11:30:00"
        and a["status"] in ("booked", "confirmed")
    )
    services = tools.search_services(barber_id=trim["barber_id"], name="hot towel shave")["services"]
    shave = next(s for s in services if s["name"].lower() == "hot towel shave")
    half_day = tools.get_chair_rental(chair_rental_id=trim["chair_rental_id"])
    end = datetime.fromisoformat(trim["starts_at"]) + timedelta(minutes=shave["duration_minutes"])
    later = [t["starts_at"] for t in half_day["taken_times"] if t["starts_at"] > trim["starts_at"]]
    if end.isoformat() <= min(later + [half_day["ends_at"]]):
        new = tools.change_appointment_service(appointment_id=trim["id"], service_id=shave["id"])["appointment"]
        difference = new["price_cents"] - trim["price_cents"]
        amount = f"{abs(difference) / 100:.2f} euros {'less' if difference < 0 else 'more'}"
        message = (
            f"You now have the hot towel shave with Ned Calloway today from {new['starts_at'][11:16]} to "
            f"{new['ends_at'][11:16]}. You will pay {new['price_cents'] / 100:.2f} euros, {amount} than for the beard trim."
        )
    else:
        difference = 0
        message = (
            "Ned Calloway cannot fit the hot towel shave in, so your beard trim at 11:30 stays as it is "
            "and you pay neither more nor less."
        )
    return {
        "outcome": "done",
        "answers": {"price_difference": difference},
        "reason": None,
        "message": message,
    }
