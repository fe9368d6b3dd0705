def solve(tools):
    day = next(one["date"] for one in tools.list_holidays()["holidays"] if one["name"] == "Founders' Day")
    events = [event for event in tools.list_events(day=day)["events"] if event["status"] == "confirmed"]
    return {
        "outcome": "done",
        "answers": {"day": day, "events": len(events)},
        "reason": None,
        "message": f"Founders' Day is {day}, with {len(events)} events that are not cancelled.",
    }
