def solve(tools):
    day = "2026-06-13"
    sessions = tools.search_ringing_sessions(first_day=day, last_day=day)["ringing_sessions"]
    wedding = next(s for s in sessions if s["kind"] == "wedding" and s["starts_at"][11:16] == "16:30")
    tenor = next(b for b in tools.list_bells()["bells"] if b["is_tenor"])
    others = 0
    for session in sessions:
        if session["id"] == wedding["id"]:
            continue
        detail = tools.get_ringing_session(ringing_session_id=session["id"])
        if any(p["bell_id"] == tenor["id"] and p["status"] == "taken" for p in detail["session_places"]):
            others += detail["length_minutes"]
    total = others + wedding["length_minutes"]
    refused = total > tenor["daily_minutes"]
    if not refused:
        try:
            tools.take_session_place(ringing_session_id=wedding["id"], bell_id=tenor["id"])
        except tools.Error:
            refused = True
    if refused:
        return {
            "outcome": "refused",
            "answers": {},
            "reason": "tenor_daily_minutes",
            "message": (
                f"I could not put you on the tenor for the 16:30 wedding on 13 June: a place at the tenor can be taken only if "
                f"the lengths of all sessions on that date in which it has a taken place, this one included, add up to at most "
                f"{tenor['daily_minutes']} minutes, and here they would add up to {total} ({others} already taken plus "
                f"{wedding['length_minutes']}). I have not taken any other bell for you."
            ),
        }
    return {
        "outcome": "done",
        "answers": {},
        "reason": None,
        "message": "You have a place on the tenor for the wedding on 13 June at 16:30.",
    }
