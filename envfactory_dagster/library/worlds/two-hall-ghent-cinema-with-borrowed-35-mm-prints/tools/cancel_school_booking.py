from datetime import date, timedelta


SUBMIT_PROGRAMMING_REQUEST_HOLIDAYS = (
    "2024-01-01", "2024-04-01", "2024-05-01", "2024-05-09", "2024-05-20", "2024-07-21", "2024-08-15", "2024-11-01", "2024-11-11", "2024-12-25",
    "2025-01-01", "2025-04-21", "2025-05-01", "2025-05-29", "2025-06-09", "2025-07-21", "2025-08-15", "2025-11-01", "2025-11-11", "2025-12-25",
    "2026-01-01", "2026-04-06", "2026-05-01", "2026-05-14", "2026-05-25", "2026-07-21", "2026-08-15", "2026-11-01", "2026-11-11", "2026-12-25",
    "2027-01-01", "2027-03-29", "2027-05-01", "2027-05-06", "2027-05-17", "2027-07-21", "2027-08-15", "2027-11-01", "2027-11-11", "2027-12-25",
)


def _buy_tickets_euro(cents):
    return "€" + str(cents // 100) + "." + str(cents % 100).zfill(2)


def _submit_programming_request_deadline(day, working_days):
    """17:00 of the n-th working day before a day, as text."""
    at = date.fromisoformat(day[:10])
    while working_days > 0:
        at -= timedelta(days=1)
        if at.weekday() < 5 and at.isoformat() not in SUBMIT_PROGRAMMING_REQUEST_HOLIDAYS:
            working_days -= 1
    return at.isoformat() + "T17:00:00"


def _list_my_school_bookings_fee(booking, now):
    """What cancelling a school booking costs now, or None when it can no longer be cancelled."""
    if booking["status"] == "option":
        return 0 if booking["option_until"] >= now else None
    if booking["status"] != "confirmed" or booking["starts_at"] <= now:
        return None
    full = max(40, booking["pupils_announced"]) * 500
    if now <= _submit_programming_request_deadline(booking["starts_at"], 10):
        return 0
    if now <= _submit_programming_request_deadline(booking["starts_at"], 5):
        return full // 2
    return full


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


def cancel_school_booking(env, *, school_booking_id: int, fee_cents: int) -> dict:
    """Cancels an option or a coming booking of the user's school for the fee that is due now."""
    booking = _confirm_school_booking_row(env, school_booking_id)
    fee = _list_my_school_bookings_fee(booking, env.now)
    if fee is None:
        raise env.Error("School booking " + str(school_booking_id) + " can no longer be cancelled.")
    if fee_cents != fee:
        raise env.Error("Cancelling costs " + _buy_tickets_euro(fee) + " now, not " + _buy_tickets_euro(fee_cents) + ".")
    env.execute(
        "UPDATE school_bookings SET status = 'cancelled', cancelled_at = ?, cancellation_fee_cents = ? WHERE id = ?",
        [env.now, fee, school_booking_id],
    )
    return {"school_booking_id": school_booking_id, "status": "cancelled", "cancellation_fee_cents": fee}
