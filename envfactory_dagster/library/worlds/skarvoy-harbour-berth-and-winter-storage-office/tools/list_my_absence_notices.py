def list_my_absence_notices(
    env, *, berth_lease_id: int = None, status: str = None, first_day: str = None, last_day: str = None
) -> dict:
    """Lists the absence notices of the user's own leases in order of their first day."""
    if berth_lease_id is not None:
        lease = env.one(
            """
            SELECT l.id FROM berth_leases l
            JOIN boats o ON o.id = l.boat_id
            WHERE l.id = :berth_lease_id AND o.boat_owner_id = :boat_owner_id
            """,
            {"berth_lease_id": berth_lease_id, "boat_owner_id": env.user_id},
        )
        if lease is None:
            raise env.Error(f"you have no berth lease {berth_lease_id}")
    rows = env.query(
        """
        SELECT a.id, a.berth_lease_id, b.code AS berth_code, a.first_day, a.last_day, a.status,
               a.reported_at, a.withdrawn_at
        FROM absence_notices a
        JOIN berth_leases l ON l.id = a.berth_lease_id
        JOIN boats o ON o.id = l.boat_id
        JOIN berths b ON b.id = l.berth_id
        WHERE o.boat_owner_id = :boat_owner_id
          AND (:berth_lease_id IS NULL OR a.berth_lease_id = :berth_lease_id)
          AND (:status IS NULL OR a.status = :status)
          AND (:first_day IS NULL OR a.first_day >= :first_day)
          AND (:last_day IS NULL OR a.first_day <= :last_day)
        ORDER BY a.first_day, a.id
        """,
        {
            "boat_owner_id": env.user_id,
            "berth_lease_id": berth_lease_id,
            "status": status,
            "first_day": first_day,
            "last_day": last_day,
        },
    )
    return {"absence_notices": [dict(row) for row in rows]}
