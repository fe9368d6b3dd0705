def solve(tools):
    lessons = tools.list_driving_lessons(status="cancelled")["driving_lessons"]
    lesson = next(l for l in lessons if (l["cancelled_at"] or "")[:10] == "2025-11-06")
    try:
        note = tools.hand_in_doctors_note(driving_lesson_id=lesson["id"], dated_on="2025-11-06")
        done = f"Your doctor's note is handed in and {note['credited_cents'] // 100} CZK are turned into credit."
    except tools.Error as error:
        done = f"The doctor's note could not be handed in: {error}."
    owed = tools.list_charges(only_outstanding=True)["total_outstanding_cents"]
    papers = tools.get_my_details()["pupil_documents"]
    left = max(0, 2 - sum(1 for p in papers if p["kind"] == "doctors_note"))
    return {
        "outcome": "done",
        "answers": {"still_owed": owed, "notes_left": left},
        "reason": None,
        "message": f"{done} You still owe {owed // 100} CZK, and you can use a doctor's note like this {left} more times.",
    }
