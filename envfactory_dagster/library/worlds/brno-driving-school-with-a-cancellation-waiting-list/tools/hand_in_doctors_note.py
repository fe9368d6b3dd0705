import datetime


def _list_driving_lessons_one(env, driving_lesson_id):
    """One lesson of the user's as the tools show it."""
    return env.one(
        "SELECT id, course_package_id, instructor_id, car_id, moved_from_driving_lesson_id, kind, starts_at, status, booked_at,"
        " cancelled_at, ended_by, confirmed_at, returned_hours FROM driving_lessons WHERE id = ? AND pupil_id = ?",
        [driving_lesson_id, env.user_id])


def hand_in_doctors_note(env, *, driving_lesson_id: int, dated_on: str) -> dict:
    """Hands in a doctor's note for a lesson given up, so that its fee or hours come back."""
    lesson = _list_driving_lessons_one(env, driving_lesson_id)
    if lesson is None:
        raise env.Error(f"you have no driving lesson {driving_lesson_id}")
    if lesson["status"] not in ("cancelled", "moved", "forfeited") or lesson["ended_by"] != "pupil":
        raise env.Error("a doctor's note is for a lesson that you cancelled, moved or forfeited yourself")
    if dated_on > env.now[:10]:
        raise env.Error("the doctor's note must not be dated in the future")
    if env.one("SELECT id FROM pupil_documents WHERE driving_lesson_id = ? ORDER BY id LIMIT 1", [driving_lesson_id]):
        raise env.Error("there is a doctor's note for this lesson already")
    used = env.one("SELECT COUNT(*) AS notes FROM pupil_documents WHERE pupil_id = ? AND kind = 'doctors_note'", [env.user_id])["notes"]
    if used >= 2:
        raise env.Error("you have used both doctor's notes; the owner decides about any further one")
    holidays = {row["day"] for row in env.query(
        "SELECT day FROM calendar_days WHERE is_public_holiday = ? AND day > ? ORDER BY day", [1, lesson["starts_at"][:10]])}
    last = datetime.date.fromisoformat(lesson["starts_at"][:10])
    working_days = 0
    while working_days < 5:
        last += datetime.timedelta(days=1)
        if last.weekday() < 5 and last.isoformat() not in holidays:
            working_days += 1
    if env.now[:10] > last.isoformat():
        raise env.Error(f"the doctor's note had to be handed in by {last.isoformat()}, five working days after the lesson")
    charge = env.one(
        "SELECT id, amount_cents, credited_cents FROM charges WHERE driving_lesson_id = ? AND pupil_id = ?"
        " AND kind IN ('lesson_cancelled', 'lesson_moved') AND credited_cents < amount_cents ORDER BY id LIMIT 1",
        [driving_lesson_id, env.user_id])
    hours = 2 - lesson["returned_hours"] if lesson["status"] == "forfeited" else 0
    if charge is None and hours == 0:
        raise env.Error("there is no fee or forfeited lesson that a doctor's note could turn into credit")
    note_id = env.insert(
        "INSERT INTO pupil_documents (pupil_id, driving_lesson_id, kind, dated_on, handed_in_at) VALUES (?, ?, 'doctors_note', ?, ?)",
        [env.user_id, driving_lesson_id, dated_on, env.now])
    credited = 0
    if charge is not None:
        credited = charge["amount_cents"] - charge["credited_cents"]
        env.execute(
            "UPDATE charges SET credited_cents = ?, credited_at = ?, credit_reason = 'doctors_note' WHERE id = ?",
            [charge["amount_cents"], env.now, charge["id"]])
    if hours:
        env.execute("UPDATE driving_lessons SET returned_hours = 2 WHERE id = ?", [driving_lesson_id])
    document = env.one("SELECT id, driving_lesson_id, kind, dated_on, handed_in_at FROM pupil_documents WHERE id = ?", [note_id])
    return {"pupil_document": document, "credited_cents": credited, "returned_hours": hours}
