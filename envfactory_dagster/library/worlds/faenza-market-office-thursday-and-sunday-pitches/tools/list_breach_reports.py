def list_breach_reports(env, *, status: str = None, first_served_day: str = None, last_served_day: str = None) -> dict:
    """Lists the reports served on the user."""
    if first_served_day is not None and last_served_day is not None and first_served_day > last_served_day:
        raise env.Error("The first day of service lies after the last one.")
    rows = env.query(
        "SELECT r.id, r.code, r.breach_kind_id, r.market_day_id, r.pitch_id, r.facts, r.units, r.reduced_cents, r.suspension_days, r.served_on, r.status, r.paid_on, r.paid_cents, r.closed_on, "
        "k.name AS breach_name, k.early_discount, m.held_on, p.code AS pitch_code FROM breach_reports r JOIN breach_kinds k ON k.id = r.breach_kind_id "
        "JOIN market_days m ON m.id = r.market_day_id JOIN pitches p ON p.id = r.pitch_id "
        "WHERE r.trader_id = :me AND (:status IS NULL OR r.status = :status) AND (:first IS NULL OR r.served_on >= :first) AND (:last IS NULL OR r.served_on <= :last) "
        "ORDER BY r.served_on DESC, r.id DESC",
        {"me": env.user_id, "status": status, "first": first_served_day, "last": last_served_day})
    return {"breach_reports": rows}
