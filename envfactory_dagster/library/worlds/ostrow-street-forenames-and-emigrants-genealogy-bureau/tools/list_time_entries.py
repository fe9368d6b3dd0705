def list_time_entries(
    env,
    *,
    commission_id: int = None,
    source_type: str = None,
    first_day: str = None,
    last_day: str = None,
) -> dict:
    """List the time entries on the user's own commissions that meet all the given conditions."""
    if commission_id is not None:
        own = env.one(
            "SELECT id FROM commissions WHERE id = ? AND client_id = ?",
            [commission_id, env.user_id],
        )
        if own is None:
            raise env.Error(f"you have no commission {commission_id}")
    entries = env.query(
        """
        SELECT t.id, t.commission_id, c.surname, t.worked_on, t.source_type, t.hours
        FROM time_entries t
        JOIN commissions c ON c.id = t.commission_id
        WHERE c.client_id = :user_id
          AND (:commission_id IS NULL OR t.commission_id = :commission_id)
          AND (:source_type IS NULL OR t.source_type = :source_type)
          AND (:first_day IS NULL OR t.worked_on >= :first_day)
          AND (:last_day IS NULL OR t.worked_on <= :last_day)
        ORDER BY t.worked_on, t.id
        """,
        {
            "user_id": env.user_id,
            "commission_id": commission_id,
            "source_type": source_type,
            "first_day": first_day,
            "last_day": last_day,
        },
    )
    return {"time_entries": entries}
