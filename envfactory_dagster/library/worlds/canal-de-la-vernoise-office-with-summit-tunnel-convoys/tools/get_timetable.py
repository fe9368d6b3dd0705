def get_timetable(env, *, day: str) -> dict:
    """Shows the timetable of the part of the season in which a day lies."""
    period = env.one("SELECT * FROM tunnel_periods WHERE first_day <= ? AND last_day >= ? ORDER BY id LIMIT 1", [day, day])
    if period is None:
        raise env.Error("there is no timetable for %s" % day)
    slots = env.query(
        "SELECT t.convoy, k.letter, t.direction, t.leaves, t.clear_about, t.days, t.waiting_basin, t.surcharge_cents, t.remarks"
        " FROM timetable t JOIN convoy_kinds k ON k.id = t.letter_id WHERE t.period_id = ? ORDER BY t.leaves, t.id", [period["id"]])
    special = env.query(
        "SELECT s.special_day, s.first_day, s.last_day, s.convoys_that_leave, s.what_holds, st.stoppage_code"
        " FROM special_days s LEFT JOIN stoppages st ON st.id = s.stoppage_code_id WHERE s.period_id = ? ORDER BY s.first_day, s.id", [period["id"]])
    return {"period": period["period"], "first_day": period["first_day"], "last_day": period["last_day"],
            "el_booked_by": period["el_booked_by"], "open_to": period["open_to"], "remarks": period["remarks"],
            "timetable": slots, "special_days": special}
