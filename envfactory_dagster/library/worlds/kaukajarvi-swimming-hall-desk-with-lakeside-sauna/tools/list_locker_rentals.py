def list_locker_rentals(env, *, status: str | None = None) -> dict:
    """Lists the user's locker rentals."""
    rows = env.query(
        "SELECT r.id, r.locker_id, l.number AS locker_number, r.customer_id, r.starts_on, r.expires_on, r.status, r.deposit_cents, r.deposit_status, r.renewed_at, r.ended_at FROM locker_rentals r JOIN lockers l ON l.id = r.locker_id WHERE r.customer_id = :u AND (:s IS NULL OR r.status = :s) ORDER BY r.expires_on DESC, r.id DESC",
        {"u": env.user_id, "s": status},
    )
    return {"locker_rentals": rows}
