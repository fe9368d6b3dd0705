def list_market_days(env, *, first_day: str = None, last_day: str = None, weekday: str = None, antiques_fair: str = None) -> dict:
    """Lists market days by date."""
    if first_day is not None and last_day is not None and first_day > last_day:
        raise env.Error("The first day lies after the last day.")
    rows = env.query(
        "SELECT id, held_on, weekday, moved_from_on, closes_at, fee_thirds, absences_count, antiques_fair, status, committee_decision_id FROM market_days "
        "WHERE (:first IS NULL OR held_on >= :first) AND (:last IS NULL OR held_on <= :last) AND (:weekday IS NULL OR weekday = :weekday) "
        "AND (:fair IS NULL OR antiques_fair = :fair) ORDER BY held_on, id",
        {"first": first_day, "last": last_day, "weekday": weekday, "fair": antiques_fair})
    return {"market_days": rows}
