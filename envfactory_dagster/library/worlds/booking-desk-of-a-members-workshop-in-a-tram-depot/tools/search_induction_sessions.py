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


def search_induction_sessions(env, *, induction_type_id: int = None, kind: str = None, first_day: str = None,
                              last_day: str = None, only_free: bool = False) -> dict:
    """Lists induction sessions by start with their free places."""
    if induction_type_id is not None and env.one("SELECT id FROM induction_types WHERE id = ?",
                                                 [induction_type_id]) is None:
        raise env.Error("there is no induction with the id " + str(induction_type_id))
    _list_calendar_days_stretch(env, first_day, last_day)
    return {"induction_sessions": env.query(
        """SELECT * FROM (
             SELECT se.id AS induction_session_id, se.induction_type_id, t.name AS induction_type_name,
                    m.name AS supervisor_name, se.kind, se.starts_at, se.ends_at,
                    se.places - (SELECT COUNT(*) FROM induction_places p
                                 WHERE p.induction_session_id = se.id AND p.status <> 'cancelled') AS free_places,
                    se.places,
                    CASE se.kind WHEN 'full' THEN t.price_cents ELSE t.refresher_price_cents END AS price_cents
             FROM induction_sessions se JOIN induction_types t ON t.id = se.induction_type_id
             JOIN members m ON m.id = se.supervisor_member_id)
           WHERE (:type IS NULL OR induction_type_id = :type) AND (:kind IS NULL OR kind = :kind)
             AND (:first IS NULL OR substr(starts_at, 1, 10) >= :first)
             AND (:last IS NULL OR substr(starts_at, 1, 10) <= :last) AND (:free = 0 OR free_places > 0)
           ORDER BY starts_at, induction_session_id""",
        {"type": induction_type_id, "kind": kind, "first": first_day, "last": last_day,
         "free": 1 if only_free else 0})}
