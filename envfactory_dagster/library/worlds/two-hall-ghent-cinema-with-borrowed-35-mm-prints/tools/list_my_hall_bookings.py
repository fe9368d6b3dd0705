from datetime import date


def _list_my_hall_bookings_fee(booking, now):
    """What cancelling a hall booking costs now, or None when it can no longer be cancelled."""
    if booking["status"] == "option":
        return 0 if booking["option_until"] >= now else None
    if booking["status"] != "confirmed" or booking["starts_at"] <= now:
        return None
    days = (date.fromisoformat(booking["starts_at"][:10]) - date.fromisoformat(now[:10])).days
    if days > 30:
        return 2500
    if days >= 11:
        return booking["deposit_cents"]
    return booking["hall_cents"] + booking["licence_cents"]


def list_my_hall_bookings(env, *, status: str | None = None, first_day: str | None = None, last_day: str | None = None) -> dict:
    """Lists the user's own hall bookings with what cancelling would cost now."""
    if first_day is not None and last_day is not None and last_day < first_day:
        raise env.Error("The last day lies before the first.")
    rows = env.query(
        """
        SELECT b.id, b.club_id, b.hall_id, h.name AS hall_name, b.starts_at, b.ends_at, b.purpose, t.name AS title_name, b.guests, b.youngest_age,
               b.hall_cents, b.licence_cents, b.projection_35mm_cents, b.deposit_cents, b.deposit_payment_id IS NOT NULL AS deposit_paid,
               b.option_until, b.status, b.cancelled_at, b.cancellation_fee_cents
        FROM hall_bookings b JOIN halls h ON h.id = b.hall_id LEFT JOIN copies c ON c.id = b.copy_id LEFT JOIN titles t ON t.id = c.title_id
        WHERE b.account_id = :user AND (:status IS NULL OR b.status = :status)
          AND (:first_day IS NULL OR substr(b.starts_at, 1, 10) >= :first_day)
          AND (:last_day IS NULL OR substr(b.starts_at, 1, 10) <= :last_day)
        ORDER BY b.starts_at, b.id
        """,
        {"user": env.user_id, "status": status, "first_day": first_day, "last_day": last_day},
    )
    for row in rows:
        row["deposit_paid"] = bool(row["deposit_paid"])
        row["cancellation_fee_now_cents"] = _list_my_hall_bookings_fee(row, env.now)
    return {"hall_bookings": rows}
