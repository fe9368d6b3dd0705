import datetime


def _desk_days_until(env, day):
    """Whole days from today to a day."""
    return (datetime.date.fromisoformat(day) - datetime.date.fromisoformat(env.now[:10])).days


def _desk_own_club(env, club_id):
    """A club that the user represents today."""
    row = env.one(
        "SELECT c.id, c.name, c.tampere_based FROM clubs c WHERE c.id = :c AND EXISTS (SELECT 1 FROM club_representatives r WHERE r.club_id = c.id AND r.customer_id = :u AND :day BETWEEN r.valid_from AND r.valid_to)",
        {"c": club_id, "u": env.user_id, "day": env.now[:10]},
    )
    if row is None:
        raise env.Error(f"you represent no club {club_id} today")
    return row


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


def list_lane_bookings(env, *, basis: str | None = None, status: str | None = None, club_id: int | None = None, first_day: str | None = None, last_day: str | None = None) -> dict:
    """Lists the user's loose turns and the bookings of the clubs they represent."""
    if club_id is not None:
        _desk_own_club(env, club_id)
    rows = env.query(
        "SELECT b.id, b.code, b.season_turn_id, b.club_id, c.name AS club_name, b.booked_by_id, b.lane, b.starts_at, b.ends_at, b.price_cents, b.status, b.booked_at, b.cancelled_at, b.cancelled_by_id, b.cancellation_fee_cents, COALESCE(t.basis, 'loose') AS basis FROM lane_bookings b LEFT JOIN clubs c ON c.id = b.club_id LEFT JOIN season_turns t ON t.id = b.season_turn_id WHERE ((b.season_turn_id IS NULL AND b.booked_by_id = :u) OR b.club_id IN (SELECT r.club_id FROM club_representatives r WHERE r.customer_id = :u AND :day BETWEEN r.valid_from AND r.valid_to)) AND (:basis IS NULL OR COALESCE(t.basis, 'loose') = :basis) AND (:s IS NULL OR b.status = :s) AND (:c IS NULL OR b.club_id = :c) AND (:first IS NULL OR substr(b.starts_at, 1, 10) >= :first) AND (:last IS NULL OR substr(b.starts_at, 1, 10) <= :last) ORDER BY b.starts_at, b.lane, b.id",
        {"u": env.user_id, "day": env.now[:10], "basis": basis, "s": status, "c": club_id, "first": first_day, "last": last_day},
    )
    for row in rows:
        fee = None
        if row["basis"] != "loose" and row["status"] == "booked":
            fee = _desk_club_date_fee(env, row["basis"], row["starts_at"], row["price_cents"])
        row["fee_if_cancelled_now_cents"] = fee
    return {"lane_bookings": rows}
