import datetime


def _room_closed_on(env, day: str) -> bool:
    """Whether the room is closed on a day: Sundays and the closed days."""
    if datetime.date.fromisoformat(day).weekday() == 6:
        return True
    row = env.one("SELECT id FROM closed_days WHERE first_day <= ? AND last_day >= ?", [day, day])
    return row is not None


def find_free_places(env, *, on_day: str, kind: str = None) -> dict:
    """Lists the booths and the table, for house reels, that are free on a day."""
    try:
        saturday = datetime.date.fromisoformat(on_day).weekday() == 5
    except ValueError:
        raise env.Error(f"{on_day} is no day")
    closed = _room_closed_on(env, on_day)
    places = []
    if not closed:
        rows = env.query(
            "SELECT p.id AS place_id, p.place, p.kind, p.equipment, p.remark, s.id AS slot_id, s.slot, s.starts, s.ends"
            " FROM places p JOIN slots s ON s.kind = p.kind"
            " WHERE (:kind IS NULL OR p.kind = :kind) AND (:saturday = 0 OR s.on_days = 'Monday–Saturday')"
            " AND :day || 'T' || s.starts || ':00' > :now"
            " AND NOT EXISTS (SELECT 1 FROM bookings b WHERE b.place_id = p.id AND b.slot_id = s.id AND b.on_day = :day"
            " AND b.status IN ('booked', 'came', 'absent'))"
            " AND (p.kind = 'booth' OR (NOT EXISTS (SELECT 1 FROM cold_store_orders o WHERE o.session_day = :day AND o.session_slot_id = s.id"
            " AND o.status IN ('on a run', 'seen', 'absent'))"
            " AND NOT EXISTS (SELECT 1 FROM van_runs v WHERE v.status = 'planned' AND v.takes_readers_orders = 1"
            " AND (v.first_viewing_day = :day OR v.second_viewing_day = :day) AND v.orders_close_at >= :now)))"
            " ORDER BY p.id, s.starts", {"kind": kind, "saturday": 1 if saturday else 0, "day": on_day, "now": env.now})
        places = [dict(r) for r in rows]
    return {"on_day": on_day, "is_closed": closed, "free_places": places}
