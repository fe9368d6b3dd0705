def list_lots(env, *, status: str | None = None, honey_type: str | None = None) -> dict:
    """Lists the user's own lots."""
    rows = env.query(
        """SELECT l.lot_code, b.booking_no, l.honey_type, l.net_kg, l.extracted_on, l.untreated_declared, l.status,
                  (SELECT COUNT(*) FROM moisture_readings r WHERE r.lot_id = l.id) AS readings,
                  (SELECT ROUND(AVG(r.percent), 2) FROM moisture_readings r WHERE r.lot_id = l.id) AS mean_percent,
                  (SELECT ROUND(COALESCE(SUM(p.kg), 0.0), 2) FROM pours p WHERE p.lot_id = l.id) AS poured_kg
           FROM lots l JOIN bookings b ON b.id = l.booking_id
           WHERE l.member_id = :user
             AND (:status IS NULL OR l.status = :status)
             AND (:honey IS NULL OR l.honey_type = :honey)
           ORDER BY l.extracted_on DESC, l.id DESC""",
        {"user": env.user_id, "status": status, "honey": honey_type},
    )
    return {"lots": [dict(r) for r in rows]}
