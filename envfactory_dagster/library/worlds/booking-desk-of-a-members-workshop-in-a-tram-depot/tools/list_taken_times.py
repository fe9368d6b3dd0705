from datetime import date, timedelta


def _list_calendar_days_parse(env, text):
    try:
        if len(text) != 10:
            raise ValueError(text)
        return date.fromisoformat(text)
    except ValueError:
        raise env.Error("there is no day " + text + "; write it as 2026-05-07")


def _search_stations_row(env, station_id):
    row = env.one("SELECT * FROM stations WHERE id = ?", [station_id])
    if row is None:
        raise env.Error("there is no station with the id " + str(station_id))
    return row


def list_taken_times(env, *, day: str, station_id: int = None) -> dict:
    """Shows when stations are taken or blocked on a day."""
    after = (_list_calendar_days_parse(env, day) + timedelta(days=1)).isoformat()
    if station_id is not None:
        _search_stations_row(env, station_id)
    rows = env.query(
        """SELECT b.station_id, s.code AS station_code, 'booking' AS taken_by, b.starts_at, b.ends_at,
                  b.member_id = :me AS mine, b.id AS row_id
           FROM bookings b JOIN stations s ON s.id = b.station_id
           WHERE substr(b.starts_at, 1, 10) = :day AND b.status IN ('provisional', 'confirmed', 'used')
             AND (:station IS NULL OR b.station_id = :station)
           UNION ALL
           SELECT k.station_id, s.code, 'block', k.starts_at, k.ends_at, 0, k.id
           FROM station_blocks k JOIN stations s ON s.id = k.station_id
           WHERE k.status = 'in_force' AND substr(k.starts_at, 1, 10) < :after
             AND (k.ends_at IS NULL OR k.ends_at > :day || 'T00:00:00')
             AND (:station IS NULL OR k.station_id = :station)
           ORDER BY 1, 4, 3, 7""",
        {"me": env.user_id, "day": day, "after": after, "station": station_id})
    return {"taken_times": [
        {"station_id": row["station_id"], "station_code": row["station_code"], "taken_by": row["taken_by"],
         "starts_at": row["starts_at"], "ends_at": row["ends_at"], "mine": bool(row["mine"])} for row in rows]}
