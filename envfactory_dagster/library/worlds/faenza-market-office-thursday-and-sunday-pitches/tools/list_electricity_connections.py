def list_electricity_connections(env, *, concession_id: int = None, status: str = None) -> dict:
    """Lists the electricity points of the user."""
    if concession_id is not None and env.one("SELECT id FROM concessions WHERE id = ? AND trader_id = ?", [concession_id, env.user_id]) is None:
        raise env.Error(f"You have no concession {concession_id}.")
    rows = env.query(
        "SELECT e.id, e.concession_id, e.electricity_tariff_id, e.load_kw, e.from_on, e.until_on, e.status, t.code AS tariff_code, t.price_cents_per_day "
        "FROM electricity_connections e JOIN electricity_tariffs t ON t.id = e.electricity_tariff_id JOIN concessions c ON c.id = e.concession_id "
        "WHERE c.trader_id = :me AND (:c IS NULL OR e.concession_id = :c) AND (:status IS NULL OR e.status = :status) ORDER BY e.concession_id, e.from_on, e.id",
        {"me": env.user_id, "c": concession_id, "status": status})
    return {"electricity_connections": rows}
