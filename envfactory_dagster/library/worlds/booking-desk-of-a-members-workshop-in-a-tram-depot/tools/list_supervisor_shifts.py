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


def list_supervisor_shifts(env, *, first_day: str, last_day: str, hall_id: int = None) -> dict:
    """Lists who is on duty in which hall, by start."""
    _list_calendar_days_stretch(env, first_day, last_day)
    if hall_id is not None and env.one("SELECT id FROM halls WHERE id = ?", [hall_id]) is None:
        raise env.Error("there is no hall with the id " + str(hall_id))
    return {"supervisor_shifts": env.query(
        """SELECT f.id AS supervisor_shift_id, f.hall_id, h.name AS hall_name, m.name AS supervisor_name,
                  f.starts_at, f.ends_at, f.status
           FROM supervisor_shifts f JOIN halls h ON h.id = f.hall_id
           JOIN members m ON m.id = f.supervisor_member_id
           WHERE substr(f.starts_at, 1, 10) BETWEEN :first AND :last AND (:hall IS NULL OR f.hall_id = :hall)
           ORDER BY f.starts_at, f.hall_id, f.id""",
        {"first": first_day, "last": last_day, "hall": hall_id})}
