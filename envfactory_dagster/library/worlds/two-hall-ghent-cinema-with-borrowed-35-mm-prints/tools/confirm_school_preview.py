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


def confirm_school_preview(env, *, school_booking_id: int) -> dict:
    """The person, as the teacher, confirms having previewed the film of an option."""
    booking = _confirm_school_booking_row(env, school_booking_id)
    _confirm_school_booking_running(env, booking)
    env.execute("UPDATE school_bookings SET preview_confirmed = 1 WHERE id = ?", [school_booking_id])
    return {"school_booking_id": school_booking_id, "preview_confirmed": True}
