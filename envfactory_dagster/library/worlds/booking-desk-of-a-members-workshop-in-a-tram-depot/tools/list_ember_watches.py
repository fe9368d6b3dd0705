def _list_ember_watches_show(env, ember_watch_id):
    return env.one(
        """SELECT w.id AS ember_watch_id, w.booking_id, b.code AS booking_code, s.code AS station_code,
                  b.starts_at AS booking_starts_at, b.ends_at AS booking_ends_at, w.status,
                  w.assigned_at, w.ended_at
           FROM ember_watches w JOIN bookings b ON b.id = w.booking_id
           JOIN stations s ON s.id = b.station_id
           WHERE w.id = ? AND w.member_id = ?""", [ember_watch_id, env.user_id])


def list_ember_watches(env, *, status: str = None) -> dict:
    """Lists the user's ember watches, by start of the booking."""
    rows = env.query(
        """SELECT w.id FROM ember_watches w JOIN bookings b ON b.id = w.booking_id
           WHERE w.member_id = :me AND (:status IS NULL OR w.status = :status) ORDER BY b.starts_at, w.id""",
        {"me": env.user_id, "status": status})
    return {"ember_watches": [_list_ember_watches_show(env, row["id"]) for row in rows]}
