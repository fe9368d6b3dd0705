def get_berth(env, *, berth_id: int) -> dict:
    """Shows one berth with the times taken by leases and guest stays."""
    berth = env.one(
        """
        SELECT b.id, b.jetty_id, j.name AS jetty_name, b.code, b.kind, b.length_cm, b.width_cm, b.depth_cm,
               b.season_price_cents, b.night_price_cents
        FROM berths b
        JOIN jetties j ON j.id = b.jetty_id
        WHERE b.id = :berth_id
        """,
        {"berth_id": berth_id},
    )
    if berth is None:
        raise env.Error(f"there is no berth {berth_id}")
    taken = env.query(
        """
        SELECT 'berth_lease' AS taken_by, l.first_day, l.last_day, o.boat_owner_id, l.id
        FROM berth_leases l
        JOIN boats o ON o.id = l.boat_id
        WHERE l.berth_id = :berth_id AND l.status IN ('requested', 'active')
        UNION ALL
        SELECT 'guest_stay' AS taken_by, g.first_day, g.last_day, o.boat_owner_id, g.id
        FROM guest_stays g
        JOIN boats o ON o.id = g.boat_id
        WHERE g.berth_id = :berth_id AND g.status = 'booked'
        ORDER BY 2, 3, 1, 5
        """,
        {"berth_id": berth_id},
    )
    shown = dict(berth)
    shown["taken_times"] = [
        {
            "taken_by": row["taken_by"],
            "first_day": row["first_day"],
            "last_day": row["last_day"],
            "is_mine": row["boat_owner_id"] == env.user_id,
        }
        for row in taken
    ]
    return shown
