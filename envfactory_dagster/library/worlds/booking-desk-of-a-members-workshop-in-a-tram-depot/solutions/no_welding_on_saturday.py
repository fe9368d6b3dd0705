def solve(tools):
    day = tools.list_calendar_days(first_day="2026-06-20", last_day="2026-06-20")["days"][0]
    refused = 0
    for station in tools.search_stations(code="M3")["stations"]:
        try:
            tools.book_hours(
                station_id=station["station_id"], starts_at="2026-06-20T18:00:00", ends_at="2026-06-20T20:00:00"
            )
        except tools.Error:
            refused += 1
        else:
            return {
                "outcome": "done",
                "answers": {},
                "reason": None,
                "message": f"{station['code']} is booked on Saturday 20 June from 18:00 to 20:00.",
            }
    return {
        "outcome": "refused",
        "answers": {},
        "reason": "dust_and_spark_days",
        "message": f"I can't book either welding place: Saturday 20 June is a {day['day_kind']} day, and M3a, M3b and M4 "
        "may be booked only on spark days, Wednesday, Friday and Sunday unless swapped.",
    }
