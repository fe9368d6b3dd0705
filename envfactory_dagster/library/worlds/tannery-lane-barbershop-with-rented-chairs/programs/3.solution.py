def solve(tools):
    wanted = "Haircut with beard trim"
    total = 0
    names = []
    coming = []
    for status in ("booked", "confirmed"):
        coming += tools.list_my_appointments(status=status, first_day="2026-04-14")["appointments"]
    for appointment in sorted(coming, key=lambda a: a["starts_at"]):
        services = tools.search_services(barber_id=appointment["barber_id"], name=wanted)["services"]
        service = [s for s in services if s["name"] == wanted][0]
        if appointment["service_id"] != service["id"]:
            appointment = tools.change_appointment_service(
                appointment_id=appointment["id"], service_id=service["id"]
            )["appointment"]
        total += appointment["price_cents"]
        names.append(f"{appointment['barber_name']} on {appointment['starts_at'][:10]} at {appointment['starts_at'][11:16]}")
    return {
        "outcome": "done",
        "answers": {"total_price": total},
        "reason": None,
        "message": (
            f"Your appointments with {' and '.join(names)} are now for a haircut with beard trim; "
            f"together they cost {total / 100:.2f} euros."
        ),
    }
