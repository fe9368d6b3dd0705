from datetime import datetime, timedelta

CANCEL_TABLE_BOOKING_NOTICE_HOURS = 24


def _cancel_table_booking_booking(env, table_booking_id):
    return env.one(
        """
        SELECT b.id, b.club_evening_id, e.starts_at, b.play_table_id, p.name AS play_table_name, p.seats,
               b.people, b.status, b.booked_at, b.cancelled_at
        FROM table_bookings b
        JOIN club_evenings e ON e.id = b.club_evening_id
        JOIN play_tables p ON p.id = b.play_table_id
        WHERE b.id = :table_booking_id AND b.member_id = :member_id
        """,
        {"table_booking_id": table_booking_id, "member_id": env.user_id},
    )


def cancel_table_booking(env, *, table_booking_id: int) -> dict:
    """Cancels the user's own booking, until 24 hours before the club evening starts."""
    booking = _cancel_table_booking_booking(env, table_booking_id)
    if booking is None:
        raise env.Error(f"you have no table booking {table_booking_id}")
    if booking["status"] != "booked":
        raise env.Error(f"your table booking {table_booking_id} is {booking['status']} and can no longer be cancelled")
    latest = datetime.fromisoformat(booking["starts_at"]) - timedelta(hours=CANCEL_TABLE_BOOKING_NOTICE_HOURS)
    if datetime.fromisoformat(env.now) > latest:
        raise env.Error(
            "a table booking can be cancelled only until 24 hours before the club evening starts, "
            f"and this one starts at {booking['starts_at']}"
        )
    env.execute(
        """
        UPDATE table_bookings SET status = 'cancelled', cancelled_at = :now
        WHERE id = :table_booking_id AND member_id = :member_id
        """,
        {"now": env.now, "table_booking_id": table_booking_id, "member_id": env.user_id},
    )
    return {"table_booking": dict(_cancel_table_booking_booking(env, table_booking_id))}
