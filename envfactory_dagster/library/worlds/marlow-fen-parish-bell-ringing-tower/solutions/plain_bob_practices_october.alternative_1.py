def pick(bells):
    return bells[-1]


def solve(tools):
    method = next(m for m in tools.list_methods()["methods"] if m["name"] == "Plain Bob Minor")
    found = tools.search_ringing_sessions(kind="practice", method_id=method["id"], status="open",
                                          first_day="2026-10-01", last_day="2026-10-31")["ringing_sessions"]
    suitable = sorted((s for s in found if s["length_minutes"] <= 90), key=lambda s: s["starts_at"])
    told = []
    for listed in suitable[:2]:
        session = tools.get_ringing_session(ringing_session_id=listed["id"])
        when = f"{session['starts_at'][:10]} at {session['starts_at'][11:16]}"
        own = next((p for p in session["session_places"] if p["is_mine"]), None)
        if own is not None:
            told.append(f"{when} on number {own['bell_number']}, where you already had a place")
            continue
        second = [b for b in session["free_bells"] if b["number"] == 2]
        light = sorted((b for b in session["free_bells"] if b["weight_kg"] < 500), key=lambda b: b["weight_kg"])
        bell = second[0] if second else pick(light) if light else None
        if bell is None:
            told.append(f"{when} without a place, as no bell under 500 kg is free")
            continue
        tools.take_session_place(ringing_session_id=session["id"], bell_id=bell["id"])
        told.append(f"{when} on number {bell['number']}")
    return {
        "outcome": "done",
        "answers": {},
        "reason": None,
        "message": f"The first two Plain Bob Minor practices in October of at most 90 minutes: {'; '.join(told)}.",
    }
