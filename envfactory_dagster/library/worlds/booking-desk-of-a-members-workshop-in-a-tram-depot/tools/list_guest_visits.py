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


def _list_guest_visits_show(env, guest_visit_id):
    return env.one(
        """SELECT id AS guest_visit_id, booking_id, guest_name, guest_age, carrying_only, starts_at,
                  ends_at, price_cents, status, announced_at, cancelled_at
           FROM guest_visits WHERE id = ? AND member_id = ?""", [guest_visit_id, env.user_id])


def list_guest_visits(env, *, status: str = None, first_day: str = None, last_day: str = None) -> dict:
    """Lists the user's guest visits by start."""
    _list_calendar_days_stretch(env, first_day, last_day)
    rows = env.query(
        """SELECT id FROM guest_visits WHERE member_id = :me AND (:status IS NULL OR status = :status)
             AND (:first IS NULL OR substr(starts_at, 1, 10) >= :first)
             AND (:last IS NULL OR substr(starts_at, 1, 10) <= :last) ORDER BY starts_at, id""",
        {"me": env.user_id, "status": status, "first": first_day, "last": last_day})
    return {"guest_visits": [_list_guest_visits_show(env, row["id"]) for row in rows]}
