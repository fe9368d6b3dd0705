def list_business_transfers(env, *, status: str = None) -> dict:
    """Lists sales and leases of a business in which the user gives or takes."""
    rows = env.query(
        "SELECT b.id, b.concession_id, b.from_trader_id, b.to_trader_id, b.kind, b.notary, b.deed_on, b.starts_on, b.ends_on, b.notified_on, b.status, "
        "t.name AS from_trader_name, u.name AS to_trader_name FROM business_transfers b JOIN traders t ON t.id = b.from_trader_id JOIN traders u ON u.id = b.to_trader_id "
        "WHERE (b.from_trader_id = :me OR b.to_trader_id = :me) AND (:status IS NULL OR b.status = :status) ORDER BY b.deed_on DESC, b.id DESC",
        {"me": env.user_id, "status": status})
    return {"business_transfers": rows}
