def solve(tools):
    watches = tools.list_ember_watches(status="assigned")["ember_watches"]
    tonight = next(row for row in watches if row["booking_starts_at"].startswith("2026-06-16"))
    try:
        refused = tools.refuse_ember_watch(ember_watch_id=tonight["ember_watch_id"])
        first = (
            f"The ember watch is refused and your sander booking given up with {refused['booking']['refund_cents'] / 100:.2f} "
            "euros back"
        )
    except tools.Error:
        first = "It is too late to refuse the ember watch"
    hall = next(row for row in tools.list_halls()["halls"] if row["name"] == "wood")
    shifts = tools.list_supervisor_shifts(first_day="2026-06-18", last_day="2026-06-18", hall_id=hall["hall_id"])
    evening = next(
        row for row in shifts["supervisor_shifts"]
        if row["starts_at"] <= "2026-06-18T18:00:00" and row["ends_at"] >= "2026-06-18T20:00:00"
    )
    code = "W1" if evening["supervisor_name"] == "Fatima El Idrissi" else "W3"
    station = next(row for row in tools.search_stations(code=code)["stations"] if row["code"] == code)
    tools.book_hours(
        station_id=station["station_id"], starts_at="2026-06-18T18:00:00", ends_at="2026-06-18T20:00:00"
    )
    return {
        "outcome": "done",
        "answers": {},
        "reason": None,
        "message": f"{first}; {evening['supervisor_name']} is on in wood on Thursday evening, so you have {code}, "
        f"{station['machine']}, on 18 June from 18:00 to 20:00.",
    }
