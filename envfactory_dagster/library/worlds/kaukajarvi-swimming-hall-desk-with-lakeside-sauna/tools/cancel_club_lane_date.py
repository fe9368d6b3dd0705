import datetime


def _desk_days_until(env, day):
    """Whole days from today to a day."""
    return (datetime.date.fromisoformat(day) - datetime.date.fromisoformat(env.now[:10])).days


def _desk_lane_booking(env, lane_booking_id):
    return env.one(
        "SELECT b.id, b.code, b.season_turn_id, b.club_id, c.name AS club_name, b.booked_by_id, b.lane, b.starts_at, b.ends_at, b.price_cents, b.status, b.booked_at, b.cancelled_at, b.cancelled_by_id, b.cancellation_fee_cents FROM lane_bookings b LEFT JOIN clubs c ON c.id = b.club_id WHERE b.id = ?",
        [lane_booking_id],
    )


def _desk_club_date_fee(env, basis, starts_at, price_cents):
    """What cancelling a club's date costs now, or None when it is too late."""
    if basis == "contract":
        return 0 if env.now <= starts_at[:10] + "T16:00:00" else None
    if starts_at <= env.now:
        return None
    if _desk_days_until(env, starts_at[:10]) >= 7:
        return 0
    left = datetime.datetime.fromisoformat(starts_at) - datetime.datetime.fromisoformat(env.now)
    return price_cents // 2 if left >= datetime.timedelta(hours=24) else price_cents


def _desk_own_lane_booking(env, lane_booking_id):
    """A booking of the user or of a club that they represent today."""
    row = env.one(
        "SELECT b.id, b.code, b.club_id, b.booked_by_id, b.starts_at, b.price_cents, b.status, COALESCE(t.basis, 'loose') AS basis FROM lane_bookings b LEFT JOIN season_turns t ON t.id = b.season_turn_id WHERE b.id = :b AND ((b.season_turn_id IS NULL AND b.booked_by_id = :u) OR b.club_id IN (SELECT r.club_id FROM club_representatives r WHERE r.customer_id = :u AND :day BETWEEN r.valid_from AND r.valid_to))",
        {"b": lane_booking_id, "u": env.user_id, "day": env.now[:10]},
    )
    if row is None:
        raise env.Error(f"neither you nor a club you represent has a lane booking {lane_booking_id}")
    return row


def cancel_club_lane_date(env, *, lane_booking_id: int) -> dict:
    """Cancels one date of a club's season turn or of lane 4 on Tuesdays."""
    booking = _desk_own_lane_booking(env, lane_booking_id)
    if booking["basis"] == "loose":
        raise env.Error(f"{booking['code']} is a loose turn, not a date of a club's standing turn")
    roles = env.query(
        "SELECT role FROM club_representatives WHERE club_id = :c AND customer_id = :u AND :day BETWEEN valid_from AND valid_to ORDER BY role",
        {"c": booking["club_id"], "u": env.user_id, "day": env.now[:10]},
    )
    mine = [row["role"] for row in roles]
    if booking["basis"] == "contract" and "named_person" not in mine:
        raise env.Error("lane 4 on Tuesdays can be cancelled only by the person the club has named for the year")
    if booking["basis"] == "season" and "contact" not in mine and "deputy" not in mine:
        raise env.Error("a date of a season turn can be cancelled only by the club's contact or deputy")
    if booking["status"] != "booked":
        raise env.Error(f"{booking['code']} is {booking['status']} and cannot be cancelled")
    fee = _desk_club_date_fee(env, booking["basis"], booking["starts_at"], booking["price_cents"])
    if fee is None:
        if booking["basis"] == "contract":
            raise env.Error("lane 4 on a Tuesday can be cancelled until 16:00 on that day")
        raise env.Error(f"{booking['code']} has begun and cannot be cancelled")
    env.execute(
        "UPDATE lane_bookings SET status = 'cancelled', cancelled_at = :now, cancelled_by_id = :u, cancellation_fee_cents = :fee WHERE id = :b",
        {"now": env.now, "u": env.user_id, "fee": fee, "b": lane_booking_id},
    )
    return {"lane_booking": _desk_lane_booking(env, lane_booking_id)}
