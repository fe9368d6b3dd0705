from datetime import date, timedelta


SUBMIT_PROGRAMMING_REQUEST_HOLIDAYS = (
    "2024-01-01", "2024-04-01", "2024-05-01", "2024-05-09", "2024-05-20", "2024-07-21", "2024-08-15", "2024-11-01", "2024-11-11", "2024-12-25",
    "2025-01-01", "2025-04-21", "2025-05-01", "2025-05-29", "2025-06-09", "2025-07-21", "2025-08-15", "2025-11-01", "2025-11-11", "2025-12-25",
    "2026-01-01", "2026-04-06", "2026-05-01", "2026-05-14", "2026-05-25", "2026-07-21", "2026-08-15", "2026-11-01", "2026-11-11", "2026-12-25",
    "2027-01-01", "2027-03-29", "2027-05-01", "2027-05-06", "2027-05-17", "2027-07-21", "2027-08-15", "2027-11-01", "2027-11-11", "2027-12-25",
)


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


def _list_my_school_bookings_floor(announced):
    return max(40, (announced * 9 + 9) // 10)


def list_my_school_bookings(env, *, status: str | None = None) -> dict:
    """Lists the bookings of the user's school."""
    rows = env.query(
        """
        SELECT b.id, b.school_id, b.screening_id, t.name AS title_name, t.kijkwijzer_age, h.name AS hall_name, s.starts_at, b.pupils_announced,
               b.pupils_final, b.teachers, b.youngest_age, b.preview_confirmed, b.option_until, b.status, b.cancelled_at, b.cancellation_fee_cents
        FROM school_bookings b JOIN schools o ON o.id = b.school_id JOIN screenings s ON s.id = b.screening_id
        JOIN copies c ON c.id = s.copy_id JOIN titles t ON t.id = c.title_id JOIN halls h ON h.id = s.hall_id
        WHERE o.contact_account_id = :user AND (:status IS NULL OR b.status = :status)
        ORDER BY s.starts_at, b.id
        """,
        {"user": env.user_id, "status": status},
    )
    for row in rows:
        row["preview_confirmed"] = bool(row["preview_confirmed"])
        row["headcount_deadline_at"] = _submit_programming_request_deadline(row["starts_at"], 5)
        row["charged_pupils_floor"] = _list_my_school_bookings_floor(row["pupils_announced"])
        row["cancellation_fee_now_cents"] = _list_my_school_bookings_fee(row, env.now)
    return {"school_bookings": rows}
