def solve(tools):
    user = next(one for one in tools.list_users()["users"] if one["name"] == "Mara Lind")
    events = tools.list_events_of(email=user["email"])["events"]
    mine = [e for e in events if e["title"] == "Kiln loading" and e["organizer"].lower() == user["email"].lower()]
    first = min(event["start"] for event in mine)[:10]
    return {
        "outcome": "done",
        "answers": {"loadings": len(mine), "day": first},
        "reason": None,
        "message": f"She organizes {len(mine)} kiln loadings; the first is on {first}.",
    }
