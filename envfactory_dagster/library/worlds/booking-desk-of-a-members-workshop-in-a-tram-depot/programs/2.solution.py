from datetime import date, datetime, timedelta


def solve(tools):
    benches = {row["code"]: row["station_id"] for row in tools.search_stations(code="B")["stations"]}
    minutes = {code: 0 for code in benches}
    day = date(2026, 6, 20)
    while day <= date(2026, 6, 28):
        for taken in tools.list_taken_times(day=day.isoformat())["taken_times"]:
            if taken["station_code"] in minutes and taken["taken_by"] == "booking":
                length = datetime.fromisoformat(taken["ends_at"]) - datetime.fromisoformat(taken["starts_at"])
                minutes[taken["station_code"]] += int(length.total_seconds()) // 60
        day += timedelta(days=1)
    most = max(sorted(minutes), key=lambda code: minutes[code])
    least = min(sorted(minutes), key=lambda code: minutes[code])
    tools.book_hours(
        station_id=benches[least], starts_at="2026-06-28T11:00:00", ends_at="2026-06-28T13:00:00", use_credit=False
    )
    return {
        "outcome": "done",
        "answers": {
            "most_bench": most,
            "most_hours": minutes[most] // 60,
            "least_bench": least,
            "least_hours": minutes[least] // 60,
        },
        "reason": None,
        "message": f"{most} is booked the most, {minutes[most] // 60} hours, and {least} the least, "
        f"{minutes[least] // 60}; I have booked {least} for you on Sunday 28 June from 11:00 to 13:00, paid in money.",
    }
