def solve(tools):
    def due():
        charges = tools.list_charges(only_outstanding=True)["charges"]
        return sum(c["outstanding_cents"] for c in charges if c["due_on"] < "2025-11-06")

    have = 550000
    total = due()
    over = total - have if total > have else None
    done = []
    if total > have:
        lessons = tools.list_driving_lessons(status="cancelled", first_day="2025-10-20", last_day="2025-10-20")["driving_lessons"]
        tools.hand_in_doctors_note(driving_lesson_id=lessons[0]["id"], dated_on="2025-10-20")
        done.append("handed in your doctor's note")
        total = due()
    if total > have:
        for session in tools.list_simulator_sessions(status="booked")["simulator_sessions"]:
            if session["starts_at"][:10] == "2025-10-30":
                tools.cancel_simulator_session(simulator_session_id=session["id"])
                done.append("cancelled the simulator hour on 30 October")
        total = due()
    left = have - total if total <= have else None
    now = f"You are {over // 100} CZK over at the moment. " if over else "What is due fits into what you have. "
    did = f"I have {' and '.join(done)}. " if done else ""
    then = f"{left // 100} CZK of your 5,500 will be left." if left is not None else "It will still not be enough."
    return {
        "outcome": "done",
        "answers": {"over_by": over, "left_over": left},
        "reason": None,
        "message": now + did + then,
    }
