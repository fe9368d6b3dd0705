def solve(tools):
    old_day, new_day = "2026-09-27", "2026-10-04"
    weights = {b["id"]: b["weight_kg"] for b in tools.list_bells()["bells"]}
    mine = tools.list_my_session_places(status="taken", kind="sunday", first_day=old_day, last_day=old_day)["session_places"]
    old = next(p for p in mine if p["starts_at"][11:16] < "12:00")
    listed = tools.search_ringing_sessions(kind="sunday", status="open", first_day=new_day, last_day=new_day)["ringing_sessions"]
    session = tools.get_ringing_session(ringing_session_id=listed[0]["id"])

    bell = next((b for b in session["free_bells"] if b["id"] == old["bell_id"]), None)
    same = bell is not None
    if not same:
        others = [b for b in session["free_bells"] if not b["is_tenor"]]
        bell = min(others, key=lambda b: (abs(b["weight_kg"] - weights[old["bell_id"]]), b["number"]))

    tools.give_up_session_place(session_place_id=old["id"])
    tools.take_session_place(ringing_session_id=session["id"], bell_id=bell["id"])
    which = "the same bell" if same else f"the free bell nearest in weight to bell {old['bell_number']}, which is taken"
    return {
        "outcome": "done",
        "answers": {},
        "reason": None,
        "message": (
            f"Your place on bell {old['bell_number']} on Sunday 27 September is given up. On Sunday 4 October at "
            f"{session['starts_at'][11:16]} you have a place on bell {bell['number']}, {which}."
        ),
    }
