def list_presences(env, *, concession_id: int, first_day: str = None, last_day: str = None, status: str = None) -> dict:
    """Lists what was marked for a concession of the user."""
    if env.one("SELECT id FROM concessions WHERE id = ? AND trader_id = ?", [concession_id, env.user_id]) is None:
        raise env.Error(f"You have no concession {concession_id}.")
    if first_day is not None and last_day is not None and first_day > last_day:
        raise env.Error("The first day lies after the last day.")
    rows = env.query(
        "SELECT p.id, p.market_day_id, p.status, p.marked_at, m.held_on, m.absences_count FROM presences p JOIN market_days m ON m.id = p.market_day_id "
        "WHERE p.concession_id = :c AND (:first IS NULL OR m.held_on >= :first) AND (:last IS NULL OR m.held_on <= :last) "
        "AND (:status IS NULL OR p.status = :status) ORDER BY m.held_on, p.id",
        {"c": concession_id, "first": first_day, "last": last_day, "status": status})
    return {"presences": rows}
