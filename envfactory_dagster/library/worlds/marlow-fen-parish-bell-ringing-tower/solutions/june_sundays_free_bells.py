def solve(tools):
    found = tools.search_ringing_sessions(
        kind="sunday", status="open", first_day="2026-06-07", last_day="2026-06-28")["ringing_sessions"]
    details = [tools.get_ringing_session(ringing_session_id=s["id"]) for s in found]
    best = max(details, key=lambda d: len(d["free_bells"]))
    numbers = [str(b["number"]) for b in sorted(best["free_bells"], key=lambda b: b["number"])]
    day, start = best["starts_at"][:10], best["starts_at"][11:16]
    tenor = next(b for b in tools.list_bells()["bells"] if b["is_tenor"])
    used = 0
    for session in tools.search_ringing_sessions(first_day=day, last_day=day)["ringing_sessions"]:
        detail = tools.get_ringing_session(ringing_session_id=session["id"])
        if any(p["bell_id"] == tenor["id"] and p["status"] == "taken" for p in detail["session_places"]):
            used += detail["length_minutes"]
    left = tenor["daily_minutes"] - used
    return {
        "outcome": "done",
        "answers": {
            "session_date": day,
            "session_start": start,
            "free_bells": numbers,
            "tenor_minutes_left": left,
        },
        "reason": None,
        "message": (
            f"The Sunday session on {day} at {start} has the most free bells, {len(numbers)}: numbers {', '.join(numbers)}. "
            f"On that day {left} of the tenor's {tenor['daily_minutes']} minutes are not yet spoken for."
        ),
    }
