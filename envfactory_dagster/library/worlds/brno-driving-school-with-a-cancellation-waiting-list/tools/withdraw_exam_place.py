import datetime

WITHDRAW_EXAM_PLACE_FEE_CENTS = 50000


def _list_charges_due_in_14_days(env):
    """The day on which a fee of today is due."""
    return (datetime.date.fromisoformat(env.now[:10]) + datetime.timedelta(days=14)).isoformat()


def _list_my_exam_places_one(env, exam_place_id):
    """One exam place of the user's as the commands show it."""
    return env.one(
        "SELECT id, exam_block_id, status, pencilled_at, confirmed_at, withdrawn_at FROM exam_places WHERE id = ? AND pupil_id = ?",
        [exam_place_id, env.user_id])


def withdraw_exam_place(env, *, exam_place_id: int) -> dict:
    """Gives up an exam place, for a fee after the closing hour."""
    place = env.one(
        "SELECT e.status, b.calendar_day, b.closes_at FROM exam_places e JOIN exam_blocks b ON b.id = e.exam_block_id"
        " WHERE e.id = ? AND e.pupil_id = ?", [exam_place_id, env.user_id])
    if place is None:
        raise env.Error(f"you have no exam place {exam_place_id}")
    if place["status"] not in ("pencilled", "reserve", "confirmed"):
        raise env.Error(f"this place cannot be given up, it is {place['status']}")
    if env.now[:10] >= place["calendar_day"]:
        raise env.Error("a place can be given up before the day of the exam only")
    fee = WITHDRAW_EXAM_PLACE_FEE_CENTS if env.now > place["closes_at"] else 0
    env.execute("UPDATE exam_places SET status = 'withdrawn', withdrawn_at = ? WHERE id = ?", [env.now, exam_place_id])
    if fee:
        env.insert(
            "INSERT INTO charges (pupil_id, kind, exam_place_id, amount_cents, charged_at, due_on) VALUES (?, 'exam_withdrawal', ?, ?, ?, ?)",
            [env.user_id, exam_place_id, fee, env.now, _list_charges_due_in_14_days(env)])
    return {"exam_place": _list_my_exam_places_one(env, exam_place_id), "fee_cents": fee}
