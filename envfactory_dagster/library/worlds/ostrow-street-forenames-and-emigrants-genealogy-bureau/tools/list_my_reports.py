def list_my_reports(env, *, commission_id: int = None, status: str = None) -> dict:
    """Lists the reports on the user's own commissions in the order they were ordered."""
    if commission_id is not None:
        commission = env.one(
            "SELECT id FROM commissions WHERE id = :commission_id AND client_id = :client_id",
            {"commission_id": commission_id, "client_id": env.user_id},
        )
        if commission is None:
            raise env.Error(f"you have no commission {commission_id}")
    rows = env.query(
        """
        SELECT r.id, r.commission_id, c.surname, r.format, r.language, r.status, r.ordered_at,
               r.delivered_at, r.cancelled_at
        FROM reports r
        JOIN commissions c ON c.id = r.commission_id
        WHERE c.client_id = :client_id
          AND (:commission_id IS NULL OR r.commission_id = :commission_id)
          AND (:status IS NULL OR r.status = :status)
        ORDER BY r.ordered_at, r.id
        """,
        {"client_id": env.user_id, "commission_id": commission_id, "status": status},
    )
    return {"reports": [dict(row) for row in rows]}
