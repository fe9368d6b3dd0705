import datetime


DESK_SAUNA_FREE_HOURS = 72


DESK_SAUNA_HALF_HOURS = 24


def _desk_sauna_hours(env, turn):
    """Hours from now to the beginning of a turn."""
    start = datetime.datetime.fromisoformat(f"{turn['held_on']}T{turn['starts_time']}:00")
    return (start - datetime.datetime.fromisoformat(env.now)) / datetime.timedelta(hours=1)


def _desk_sauna_fee(env, turn):
    """What cancelling a booked turn costs now, or None when it has begun."""
    hours = _desk_sauna_hours(env, turn)
    if hours <= 0:
        return None
    if hours > DESK_SAUNA_FREE_HOURS and turn["moved_at"] is None:
        return 0
    return turn["price_cents"] // 2 if hours >= DESK_SAUNA_HALF_HOURS else turn["price_cents"]


def list_sauna_turns(env, *, status: str | None = None, first_day: str | None = None, last_day: str | None = None) -> dict:
    """Lists the private sauna turns the user has booked."""
    rows = env.query(
        "SELECT t.id, t.code, t.sauna_slot_id, s.sauna, t.held_on, s.starts_time, s.ends_time, t.customer_id, t.price_cents, t.status, t.booked_at, t.moved_at, t.cancelled_at, t.cancellation_fee_cents FROM sauna_turns t JOIN sauna_slots s ON s.id = t.sauna_slot_id WHERE t.customer_id = :u AND (:s IS NULL OR t.status = :s) AND (:first IS NULL OR t.held_on >= :first) AND (:last IS NULL OR t.held_on <= :last) ORDER BY t.held_on, s.starts_time, t.id",
        {"u": env.user_id, "s": status, "first": first_day, "last": last_day},
    )
    for row in rows:
        booked = row["status"] == "booked"
        row["fee_if_cancelled_now_cents"] = _desk_sauna_fee(env, row) if booked else None
        row["free_move_left"] = booked and row["moved_at"] is None and _desk_sauna_hours(env, row) > DESK_SAUNA_FREE_HOURS
    return {"sauna_turns": rows}
