def list_turns(env, *, start_day: str = None, min_hours: int = None, holder: str = None, plot_id: int = None) -> dict:
    """The turns of the list of 1904 in the order of the week, with holder and suspension."""
    if holder is not None and env.one("SELECT id FROM members WHERE number = ?", [holder]) is None:
        raise env.Error("There is no holder " + holder + " in the padrón.")
    if plot_id is not None and env.one("SELECT id FROM plots WHERE id = ?", [plot_id]) is None:
        raise env.Error("There is no plot " + str(plot_id) + ".")
    return {
        "turns": env.query(
            "SELECT t.id AS turn_id, t.turn, t.start_day, t.starts_at, t.end_day, t.ends_at, t.hours, t.hanegadas, t.plot_id, p.plot, "
            "p.sluice_id, s.sluice, s.keeper_id, k.keeper, p.holder, m.name AS holder_name, "
            "CASE WHEN m.id = :member THEN 1 ELSE 0 END AS mine, t.road, x.suspended_from, x.back_from "
            "FROM turns t JOIN plots p ON p.id = t.plot_id JOIN sluices s ON s.id = p.sluice_id JOIN keepers k ON k.id = s.keeper_id "
            "LEFT JOIN members m ON m.number = p.holder "
            "LEFT JOIN turn_suspensions x ON x.id = (SELECT y.id FROM turn_suspensions y WHERE y.turn_id = t.id "
            "AND (y.back_from IS NULL OR y.back_from > :today) ORDER BY y.suspended_from DESC, y.id DESC LIMIT 1) "
            "WHERE (:day IS NULL OR t.start_day = :day) AND (:hours IS NULL OR t.hours >= :hours) "
            "AND (:holder IS NULL OR p.holder = :holder) AND (:plot IS NULL OR t.plot_id = :plot) "
            "ORDER BY CASE t.start_day WHEN 'Mon' THEN 1 WHEN 'Tue' THEN 2 WHEN 'Wed' THEN 3 WHEN 'Thu' THEN 4 WHEN 'Fri' THEN 5 WHEN 'Sat' THEN 6 ELSE 7 END, "
            "t.starts_at, t.id",
            {"member": env.user_id, "today": env.now[:10], "day": start_day, "hours": min_hours, "holder": holder, "plot": plot_id},
        )
    }
