from datetime import datetime, timedelta

REST = timedelta(hours=10)


def at(text):
    return datetime.fromisoformat(text[:19])


def solve(tools):
    qualifications = tools.list_my_qualifications()["qualifications"]
    held = [
        place
        for place in tools.list_my_shift_places()["shift_places"]
        if place["status"] in ("taken", "offered", "served")
    ]

    def qualified(skill, day):
        return any(q["skill_id"] == skill["id"] and q["first_day"] <= day <= q["last_day"] for q in qualifications)

    def rested(shift):
        return all(
            at(shift["starts_at"]) >= at(place["ends_at"]) + REST
            or at(shift["ends_at"]) + REST <= at(place["starts_at"])
            for place in held
        )

    fitting = []
    for found in tools.search_duty_shifts(first_day="2026-02-14", last_day="2026-02-15")["duty_shifts"]:
        day = found["starts_at"][:10]
        if at(found["ends_at"]) > at(day + "T20:00:00"):
            continue
        shift = tools.get_duty_shift(duty_shift_id=found["id"])
        if shift["free_places"] < 1 or not rested(shift):
            continue
        if all(qualified(skill, day) for skill in shift["skills"]):
            fitting.append(shift)
    chosen = fitting[-1]
    place = tools.take_shift_place(duty_shift_id=chosen["id"])["shift_place"]
    return {
        "outcome": "done",
        "answers": {},
        "reason": None,
        "message": f"You have a place on the {place['kind']} shift from {place['starts_at'][:16].replace('T', ' ')}"
        f" to {place['ends_at'][11:16]}; your qualifications cover it and it leaves you at least 10 hours of rest"
        " from your other shifts.",
    }
