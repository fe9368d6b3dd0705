import datetime


def _list_lesson_offers_until(sent_at):
    """The moment until which an offer stands, included."""
    three_hours = (datetime.datetime.fromisoformat(sent_at) + datetime.timedelta(hours=3)).isoformat()
    return min(three_hours, sent_at[:10] + "T19:00:00")


def list_lesson_offers(env, *, status: str = None) -> dict:
    """Lists the freed lessons offered to the pupil."""
    offers = []
    for row in env.query(
        "SELECT o.id, o.waiting_list_entry_id, o.freed_driving_lesson_id, o.sent_at, o.status, o.answered_at, l.instructor_id, l.car_id,"
        " l.kind, l.starts_at FROM lesson_offers o JOIN driving_lessons l ON l.id = o.freed_driving_lesson_id WHERE o.pupil_id = :pupil"
        " AND (:status IS NULL OR o.status = :status) ORDER BY o.sent_at DESC, o.id DESC", {"pupil": env.user_id, "status": status}):
        row = dict(row)
        row["stands_until"] = _list_lesson_offers_until(row["sent_at"])
        offers.append(row)
    return {"lesson_offers": offers}
