def solve(tools):
    method = next(m for m in tools.list_methods()["methods"] if m["name"] == "Grandsire Doubles")
    rung = tools.list_my_session_places(status="rung", kind="practice", method_id=method["id"])["session_places"]
    if len(rung) >= 4:
        tools.request_method_sign_off(method_id=method["id"])
        first = (f"{len(rung)} Grandsire Doubles practices are marked as rung for you, so I asked the captain to sign you off "
                 f"in it; the request is undecided.")
    else:
        first = f"Only {len(rung)} Grandsire Doubles practices are marked as rung for you, so I did not ask for the sign-off."

    found = tools.search_ringing_sessions(kind="practice", method_id=method["id"], status="open")["ringing_sessions"]
    session = None
    for listed in sorted(found, key=lambda s: s["starts_at"]):
        detail = tools.get_ringing_session(ringing_session_id=listed["id"])
        if detail["free_bells"]:
            session = detail
            break
    if session is None:
        second = "No open Grandsire Doubles practice has a free bell, so I took no place."
    else:
        when = f"{session['starts_at'][:10]} at {session['starts_at'][11:16]}"
        free = {b["number"]: b for b in session["free_bells"]}
        bell = free.get(5) or free.get(4)
        if bell is None:
            second = f"At the next such practice with a free bell, {when}, neither number 5 nor number 4 is free, so I took no place."
        else:
            tools.take_session_place(ringing_session_id=session["id"], bell_id=bell["id"])
            second = f"You have a place on number {bell['number']} at the next such practice with a free bell, {when}."
    return {"outcome": "done", "answers": {}, "reason": None, "message": f"{first} {second}"}
