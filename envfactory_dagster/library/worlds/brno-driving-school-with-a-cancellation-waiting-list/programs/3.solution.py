def solve(tools):
    today, last = "2025-10-24", "2025-10-31"
    cancelled, kept = [], []
    lessons = tools.list_driving_lessons(status="booked", first_day=today, last_day=last)["driving_lessons"]
    for lesson in lessons:
        day = lesson["starts_at"][:10]
        fee = tools.get_lesson_change_fee(driving_lesson_id=lesson["id"])
        if fee["cancel_fee_cents"] == 0 and not fee["would_forfeit"]:
            tools.cancel_driving_lesson(driving_lesson_id=lesson["id"])
            cancelled.append(day)
        else:
            kept.append(day)
    for session in tools.list_simulator_sessions(status="booked")["simulator_sessions"]:
        day = session["starts_at"][:10]
        if not today <= day <= last:
            continue
        if day > today:
            tools.cancel_simulator_session(simulator_session_id=session["id"])
            cancelled.append(day)
        else:
            kept.append(day)
    for offer in tools.list_lesson_offers(status="open")["lesson_offers"]:
        if today <= offer["starts_at"][:10] <= last:
            tools.decline_lesson_offer(lesson_offer_id=offer["id"])
    cancelled, kept = sorted(set(cancelled)), sorted(set(kept))
    return {
        "outcome": "done",
        "answers": {"cancelled_days": cancelled, "kept_days": kept},
        "reason": None,
        "message": f"Cancelled free of charge: {', '.join(cancelled)}. Too late to cancel, so still standing: {', '.join(kept)}.",
    }
