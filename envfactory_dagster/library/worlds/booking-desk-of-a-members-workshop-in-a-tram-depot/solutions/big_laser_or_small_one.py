def _is_free(tools, day, station_id, starts_at, ends_at):
    for taken in tools.list_taken_times(day=day, station_id=station_id)["taken_times"]:
        if taken["starts_at"] < ends_at and (taken["ends_at"] is None or taken["ends_at"] > starts_at):
            return False
    return True


def solve(tools):
    starts_at, ends_at = "2026-05-07T18:00:00", "2026-05-07T21:00:00"
    lasers = tools.search_stations(code="L")["stations"]
    lasers.sort(key=lambda row: -row["hour_price_cents"])
    big, small = lasers[0], lasers[-1]
    laser = big if _is_free(tools, "2026-05-07", big["station_id"], starts_at, ends_at) else small
    booking = tools.book_hours(station_id=laser["station_id"], starts_at=starts_at, ends_at=ends_at, use_credit=True)
    left = tools.get_credit_balance()["total_cents"]
    return {
        "outcome": "done",
        "answers": {"credit_left": left},
        "reason": None,
        "message": f"You have the {booking['booking']['machine']} on Thursday 7 May from 18:00 to 21:00; "
        f"{left / 100:.2f} euros of credit are left.",
    }
