def _desk_is_overdue(env, one):
    return one["status"] == "out" and one["until_on"] < env.now[:10]


def _desk_open_breakdowns(env, equipment_id):
    return env.files.count("notes/2026.jsonl", {"kind": "breakdown", "equipment_id": equipment_id, "status": "open"})


def search_equipment(env, *, kind: str = None, name: str = None, min_length_cm: int = None,
                     first_day: str = None, last_day: str = None) -> dict:
    """Finds equipment, with two days only what can be booked for all days from the one to the other."""
    if (first_day is None) != (last_day is None):
        raise env.Error("first_day and last_day go together: give both or neither")
    if first_day is not None and last_day < first_day:
        raise env.Error("last_day cannot be before first_day")
    found = []
    for one in env.files.records("data/equipment.json"):
        if kind is not None and one["kind"] != kind:
            continue
        if name is not None and name.lower() not in one["name"].lower():
            continue
        if min_length_cm is not None and (one["length_cm"] is None or one["length_cm"] < min_length_cm):
            continue
        out = None
        overdue = False
        taken = False
        for loan in env.files.records("bookings/2026.json", {"equipment_id": one["id"]}):
            if loan["status"] not in ("booked", "out"):
                continue
            if loan["status"] == "out":
                out = loan["id"]
                overdue = overdue or _desk_is_overdue(env, loan)
            if first_day is not None and loan["from_on"] <= last_day and loan["until_on"] >= first_day:
                taken = True
        broken = _desk_open_breakdowns(env, one["id"])
        if first_day is not None and (taken or overdue or broken > 0):
            continue
        found.append({
            "id": one["id"],
            "name": one["name"],
            "kind": one["kind"],
            "length_cm": one["length_cm"],
            "day_price_cents": one["day_price_cents"],
            "late_day_price_cents": one["late_day_price_cents"],
            "out_booking_id": out,
            "overdue": overdue,
            "open_breakdown_notes": broken,
        })
    return {"equipment": sorted(found, key=lambda one: (one["kind"], one["length_cm"] or 0, one["id"]))}
