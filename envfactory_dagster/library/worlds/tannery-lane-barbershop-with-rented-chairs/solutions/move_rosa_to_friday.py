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
        and a["starts_at"] == "2026-04-16T10:00:00"
        and a["status"] in ("booked", "confirmed")
    )
    length = datetime.fromisoformat(cut["ends_at"]) - datetime.fromisoformat(cut["starts_at"])
    minutes = int(length.total_seconds() // 60)
    found = tools.search_chair_rentals(
        barber_id=cut["barber_id"], first_day="2026-04-17", last_day="2026-04-17",
        half="afternoon", status="active",
    )["chair_rentals"]
    half_days = [tools.get_chair_rental(chair_rental_id=r["id"]) for r in found]
    starts = [datetime(2026, 4, 17, 13, 0) + timedelta(minutes=m) for m in range(11 * 60)]
    start = next((s for s in starts if any(fits(h, s, minutes) for h in half_days)), None)
    if start is None:
        message = (
            "Rosa Hale has nothing left on the afternoon of Friday 17 April that is long enough, "
            "so your haircut stays on Thursday 16 April at 10:00."
        )
    else:
        moved = tools.move_appointment(appointment_id=cut["id"], starts_at=start.isoformat())["appointment"]
        message = (
            f"Your haircut with Rosa Hale is moved to Friday 17 April at {moved['starts_at'][11:16]}, "
            "the earliest time from 13:00 on that she has free for the whole cut."
        )
    return {
        "outcome": "done",
        "answers": {"nothing_left": start is None},
        "reason": None,
        "message": message,
    }
