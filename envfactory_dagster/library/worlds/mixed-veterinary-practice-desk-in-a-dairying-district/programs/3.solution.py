from datetime import datetime, timedelta


def solve(tools):
    farm = {s["id"] for s in tools.search_services(place="property")["services"]}
    booked = [a for a in tools.search_appointments(status="booked")["appointments"] if a["service_id"] in farm]
    off = [a for a in booked if a["starts_at"][:10] >= "2025-10-18"]
    for visit in off:
        tools.cancel_appointment(appointment_id=visit["id"])
    back = 0
    for visit in tools.search_appointments(status="cancelled")["appointments"]:
        notice = datetime.fromisoformat(visit["starts_at"]) - datetime.fromisoformat(visit["cancelled_at"])
        if visit["deposit_status"] == "held" and notice >= timedelta(hours=48):
            back += tools.refund_deposit(appointment_id=visit["id"])["payment"]["amount_cents"]
    left = len(booked) - len(off)
    return {
        "outcome": "done",
        "answers": {"visits_cancelled": len(off), "deposits_back": back, "farm_visits_left": left},
        "reason": None,
        "message": f"{len(off)} farm visits are cancelled, ${back / 100:.2f} in deposits comes back to you, and {left} farm visits are still booked.",
    }
