from datetime import date


def _list_calendar_days_parse(env, text):
    try:
        if len(text) != 10:
            raise ValueError(text)
        return date.fromisoformat(text)
    except ValueError:
        raise env.Error("there is no day " + text + "; write it as 2026-05-07")


def _list_calendar_days_stretch(env, first_day, last_day):
    first = None if first_day is None else _list_calendar_days_parse(env, first_day)
    last = None if last_day is None else _list_calendar_days_parse(env, last_day)
    if first is not None and last is not None and last < first:
        raise env.Error("the last day lies before the first day")


def _search_stations_row(env, station_id):
    row = env.one("SELECT * FROM stations WHERE id = ?", [station_id])
    if row is None:
        raise env.Error("there is no station with the id " + str(station_id))
    return row


def _search_bookings_show(env, booking_id):
    return env.one(
        """SELECT b.id AS booking_id, b.code, b.station_id, s.code AS station_code, s.machine, b.kind,
                  b.starts_at, b.ends_at, b.price_cents,
                  COALESCE((SELECT SUM(-c.amount_cents) FROM credit_entries c
                            WHERE c.booking_id = b.id AND c.kind = 'use'), 0) AS credit_paid_cents,
                  b.status, b.induction_place_id, b.booked_at, b.delay_reported_at, b.swept_at,
                  b.cancelled_at, b.cancel_reason, b.refund_cents
           FROM bookings b JOIN stations s ON s.id = b.station_id
           WHERE b.id = ? AND b.member_id = ?""", [booking_id, env.user_id])


def search_bookings(env, *, status: str = None, station_id: int = None, first_day: str = None,
                    last_day: str = None) -> dict:
    """Lists the user's bookings by start."""
    if station_id is not None:
        _search_stations_row(env, station_id)
    _list_calendar_days_stretch(env, first_day, last_day)
    rows = env.query(
        """SELECT id FROM bookings WHERE member_id = :me AND (:status IS NULL OR status = :status)
             AND (:station IS NULL OR station_id = :station)
             AND (:first IS NULL OR substr(starts_at, 1, 10) >= :first)
             AND (:last IS NULL OR substr(starts_at, 1, 10) <= :last) ORDER BY starts_at, id""",
        {"me": env.user_id, "status": status, "station": station_id, "first": first_day, "last": last_day})
    return {"bookings": [_search_bookings_show(env, row["id"]) for row in rows]}
