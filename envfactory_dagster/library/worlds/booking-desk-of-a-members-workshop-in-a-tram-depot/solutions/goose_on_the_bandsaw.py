def _is_free(tools, day, station_id, starts_at, ends_at):
    for taken in tools.list_taken_times(day=day, station_id=station_id)["taken_times"]:
        if taken["starts_at"] < ends_at and (taken["ends_at"] is None or taken["ends_at"] > starts_at):
            return False
    return True


def solve(tools):
    starts_at, ends_at = "2026-05-08T14:00:00", "2026-05-08T16:00:00"
    saw = next(row for row in tools.search_stations(code="W3")["stations"] if row["code"] == "W3")
    tools.report_unsafe_station(station_id=saw["station_id"], reason="It makes a noise like a goose")
    mine = tools.search_bookings(
        status="confirmed", station_id=saw["station_id"], first_day="2026-05-08", last_day="2026-05-08"
    )["bookings"]
    booking = next(row for row in mine if row["starts_at"] == starts_at)
    back = tools.cancel_booking(booking_id=booking["booking_id"])["booking"]["refund_cents"]
    benches = [
        row for row in tools.search_stations(code="B")["stations"]
        if _is_free(tools, "2026-05-08", row["station_id"], starts_at, ends_at)
    ]
    bench = benches[0]
    tools.book_hours(station_id=bench["station_id"], starts_at=starts_at, ends_at=ends_at)
    return {
        "outcome": "done",
        "answers": {},
        "reason": None,
        "message": f"The bandsaw is reported as unsafe, your booking on it is cancelled with {back / 100:.2f} euros back, and "
        f"you have bench {bench['code']} on Friday 8 May from 14:00 to 16:00 instead.",
    }
