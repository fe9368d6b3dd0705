def solve(tools):
    names = []
    taken = set()
    booked = tools.list_appointments(site_code="vina", first_day="2026-08-24", last_day="2026-08-27", state="booked")
    for a in booked["appointments"]:
        taken.add(a["slot_id"])
        if a["kind"] == "whole_blood":
            names.append(a["donor_name"])
    for day in ("2026-08-24", "2026-08-25", "2026-08-26", "2026-08-27"):
        for slot in tools.list_slots(site_code="vina", date=day, kind="whole_blood", free_only=False)["result"]:
            if slot["state"] != "blocked" and slot["slot_id"] not in taken:
                tools.block_slot(slot_id=slot["slot_id"], reason="equipment")
    return {
        "outcome": "done",
        "answers": {"to_ring": names},
        "reason": None,
        "message": f"The empty whole blood slots are closed; still booked are {' and '.join(names)}.",
    }
