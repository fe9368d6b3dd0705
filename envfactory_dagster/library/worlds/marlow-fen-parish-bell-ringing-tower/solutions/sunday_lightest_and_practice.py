def solve(tools):
    def find(kind, day, before="24:00"):
        found = tools.search_ringing_sessions(kind=kind, status="open", first_day=day, last_day=day)["ringing_sessions"]
        listed = next(s for s in found if s["starts_at"][11:16] < before)
        return tools.get_ringing_session(ringing_session_id=listed["id"])

    def settle(session, bells, label):
        own = next((p for p in session["session_places"] if p["is_mine"]), None)
        if own is not None:
            return f"{label} you already have a place on bell {own['bell_number']}, which I left as it is"
        bell = min(bells, key=lambda b: (b["weight_kg"], b["number"]))
        place = tools.take_session_place(ringing_session_id=session["id"], bell_id=bell["id"])["session_place"]
        return f"{label} I took a place for you on bell {place['bell_number']} ({bell['weight_kg']} kg)"

    service = find("sunday", "2026-06-07", "12:00")
    practice = find("practice", "2026-06-10")
    first = settle(service, service["free_bells"],
                   f"For the service on Sunday 7 June at {service['starts_at'][11:16]}")
    second = settle(practice, [b for b in practice["free_bells"] if not b["is_tenor"]],
                    f"For the practice on Wednesday 10 June at {practice['starts_at'][11:16]}")
    return {"outcome": "done", "answers": {}, "reason": None, "message": f"{first}. {second}."}
