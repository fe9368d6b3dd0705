def solve(tools):
    slots = tools.list_slots(site_code="um_portales", date="2026-10-10", free_only=False)["result"]
    closing = [x for x in slots if x["starts_at"][11:16] in ("12:00", "12:20")]
    noon = next(x for x in closing if x["starts_at"][11:16] == "12:00")
    booked = tools.list_appointments(slot_id=noon["slot_id"], state="booked")["appointments"]
    marisol = next(a for a in booked if a["donor_name"] == "Marisol Órdenes Valdebenito")
    free = sorted(
        (
            x
            for x in slots
            if x["state"] == "free" and "whole_blood" in x["kinds"] and "10:00" <= x["starts_at"][11:16] < "12:00"
        ),
        key=lambda x: x["starts_at"],
    )
    moved = tools.move_appointment(appointment_id=marisol["appointment_id"], slot_id=free[3]["slot_id"])
    for x in closing:
        tools.block_slot(slot_id=x["slot_id"], reason="swell")
    new_time = moved["starts_at"][11:16]
    return {
        "outcome": "done",
        "answers": {"new_time": new_time},
        "reason": None,
        "message": f"Marisol Órdenes is moved to {new_time} on Saturday; the 12:00 and the 12:20 are closed for swell.",
    }
