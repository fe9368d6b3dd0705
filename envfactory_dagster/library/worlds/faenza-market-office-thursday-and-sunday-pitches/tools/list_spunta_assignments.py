def list_spunta_assignments(env, *, first_day: str = None, last_day: str = None, weekday: str = None, status: str = None, only_mine: bool = False) -> dict:
    """Lists calls in the spunta by date and time."""
    if first_day is not None and last_day is not None and first_day > last_day:
        raise env.Error("The first day lies after the last day.")
    rows = env.query(
        "SELECT a.id, a.spunta_register_entry_id, a.market_day_id, a.pitch_id, a.status, a.attendance_change, a.called_at, a.answered_at, a.left_at, "
        "m.held_on, m.weekday, e.trader_id, t.name AS trader_name, p.code AS pitch_code, p.front_m FROM spunta_assignments a "
        "JOIN market_days m ON m.id = a.market_day_id JOIN spunta_register_entries e ON e.id = a.spunta_register_entry_id JOIN traders t ON t.id = e.trader_id "
        "LEFT JOIN pitches p ON p.id = a.pitch_id "
        "WHERE (:first IS NULL OR m.held_on >= :first) AND (:last IS NULL OR m.held_on <= :last) AND (:weekday IS NULL OR m.weekday = :weekday) "
        "AND (:status IS NULL OR a.status = :status) AND (:mine = 0 OR e.trader_id = :me) ORDER BY m.held_on, a.called_at, a.id",
        {"first": first_day, "last": last_day, "weekday": weekday, "status": status, "mine": 1 if only_mine else 0, "me": env.user_id})
    return {"spunta_assignments": rows}
