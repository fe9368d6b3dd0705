from datetime import date, timedelta


SUBMIT_PROGRAMMING_REQUEST_HOLIDAYS = (
    "2024-01-01", "2024-04-01", "2024-05-01", "2024-05-09", "2024-05-20", "2024-07-21", "2024-08-15", "2024-11-01", "2024-11-11", "2024-12-25",
    "2025-01-01", "2025-04-21", "2025-05-01", "2025-05-29", "2025-06-09", "2025-07-21", "2025-08-15", "2025-11-01", "2025-11-11", "2025-12-25",
    "2026-01-01", "2026-04-06", "2026-05-01", "2026-05-14", "2026-05-25", "2026-07-21", "2026-08-15", "2026-11-01", "2026-11-11", "2026-12-25",
    "2027-01-01", "2027-03-29", "2027-05-01", "2027-05-06", "2027-05-17", "2027-07-21", "2027-08-15", "2027-11-01", "2027-11-11", "2027-12-25",
)


CONFIRM_SCHOOL_BOOKING_STEPS = (0, 6, 9, 12, 14, 16, 18)


def _submit_programming_request_deadline(day, working_days):
    """17:00 of the n-th working day before a day, as text."""
    at = date.fromisoformat(day[:10])
    while working_days > 0:
        at -= timedelta(days=1)
        if at.weekday() < 5 and at.isoformat() not in SUBMIT_PROGRAMMING_REQUEST_HOLIDAYS:
            working_days -= 1
    return at.isoformat() + "T17:00:00"


def _confirm_school_booking_steps(kijkwijzer_age, youngest_age):
    """How many rating steps a film lies above the youngest pupil; an unrated film counts as 12."""
    film = 12 if kijkwijzer_age is None else kijkwijzer_age
    reached = max([s for s in CONFIRM_SCHOOL_BOOKING_STEPS if s <= youngest_age])
    return max(0, CONFIRM_SCHOOL_BOOKING_STEPS.index(film) - CONFIRM_SCHOOL_BOOKING_STEPS.index(reached))


def _confirm_school_booking_row(env, school_booking_id):
    """A booking of the user's school."""
    booking = env.one(
        """
        SELECT b.id, b.school_id, b.screening_id, b.pupils_announced, b.pupils_final, b.teachers, b.youngest_age, b.preview_confirmed, b.option_until, b.status,
               s.starts_at, s.status AS screening_status, t.kijkwijzer_age, t.name AS title_name
        FROM school_bookings b JOIN schools o ON o.id = b.school_id JOIN screenings s ON s.id = b.screening_id
        JOIN copies c ON c.id = s.copy_id JOIN titles t ON t.id = c.title_id
        WHERE b.id = ? AND o.contact_account_id = ?
        """,
        [school_booking_id, env.user_id],
    )
    if booking is None:
        raise env.Error("Your school has no booking " + str(school_booking_id) + ".")
    return booking


def _confirm_school_booking_running(env, booking):
    if booking["status"] != "option":
        raise env.Error("School booking " + str(booking["id"]) + " is no option any more; it is " + booking["status"] + ".")
    if booking["option_until"] < env.now or booking["starts_at"] <= env.now:
        raise env.Error("That option lapsed on " + booking["option_until"].replace("T", " ")[:16] + ".")


def confirm_school_booking(env, *, school_booking_id: int) -> dict:
    """Turns a running option of the user's school into a confirmed booking."""
    booking = _confirm_school_booking_row(env, school_booking_id)
    _confirm_school_booking_running(env, booking)
    if booking["screening_status"] != "scheduled":
        raise env.Error("That screening does not take place.")
    steps = _confirm_school_booking_steps(booking["kijkwijzer_age"], booking["youngest_age"])
    if steps > 1:
        raise env.Error("house_age_limit: the film lies more than one rating step above the youngest pupil, who is " + str(booking["youngest_age"]) + ".")
    if steps == 1 and not booking["preview_confirmed"]:
        raise env.Error("house_age_limit: the film lies one rating step above the youngest pupil, so the teacher has to confirm a preview first.")
    env.execute("UPDATE school_bookings SET status = 'confirmed' WHERE id = ?", [school_booking_id])
    return {"school_booking_id": school_booking_id, "status": "confirmed", "headcount_deadline_at": _submit_programming_request_deadline(booking["starts_at"], 5)}
