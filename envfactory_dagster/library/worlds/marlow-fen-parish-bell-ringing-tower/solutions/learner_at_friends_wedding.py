def solve(tools):
    day = "2026-09-26"
    found = tools.search_ringing_sessions(kind="wedding", first_day=day, last_day=day)["ringing_sessions"]
    wedding = next(s for s in found if s["starts_at"][11:16] == "14:00")
    standing = tools.get_my_standing()
    refused = not standing["is_full_member"]
    if not refused:
        free = tools.get_ringing_session(ringing_session_id=wedding["id"])["free_bells"]
        bell = min(free, key=lambda b: (b["is_tenor"], b["number"]))
        try:
            tools.take_session_place(ringing_session_id=wedding["id"], bell_id=bell["id"])
        except tools.Error:
            refused = True
    if refused:
        return {
            "outcome": "refused",
            "answers": {},
            "reason": "wedding_full_members_only",
            "message": (
                f"I could not get you a place at the wedding on 26 September at 14:00: a ringer can take a place in a wedding "
                f"session only as a full member, that is, with at least 3 granted method sign-offs, and you have "
                f"{standing['granted_sign_offs']}."
            ),
        }
    return {
        "outcome": "done",
        "answers": {},
        "reason": None,
        "message": f"You have a place on bell {bell['number']} at the wedding on 26 September at 14:00.",
    }
