def list_draw_offs(env, *, tank_no: str | None = None, first_day: str | None = None) -> dict:
    """Lists the user's own draw-offs."""
    rows = env.query(
        """SELECT d.draw_no, t.tank_no, t.honey_type, d.kg, d.container,
                  CAST(ROUND(d.kg / CASE d.container WHEN 'jar_450' THEN 0.45 WHEN 'jar_900' THEN 0.9
                                                     WHEN 'bucket_14' THEN 14.0 ELSE 40.0 END) AS INTEGER) AS container_count,
                  d.drawn_at
           FROM draw_offs d JOIN tanks t ON t.id = d.tank_id
           WHERE d.member_id = :user
             AND (:tank IS NULL OR t.tank_no = :tank)
             AND (:first IS NULL OR substr(d.drawn_at, 1, 10) >= :first)
           ORDER BY d.drawn_at DESC, d.id DESC""",
        {"user": env.user_id, "tank": tank_no, "first": first_day},
    )
    return {"draw_offs": [dict(r) for r in rows]}
