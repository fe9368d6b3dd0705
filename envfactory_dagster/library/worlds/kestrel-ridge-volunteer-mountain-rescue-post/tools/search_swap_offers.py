def _search_swap_offers_shape(env, row):
    return {
        "id": row["id"],
        "shift_place_id": row["shift_place_id"],
        "duty_shift_id": row["duty_shift_id"],
        "kind": row["kind"],
        "starts_at": row["starts_at"],
        "ends_at": row["ends_at"],
        "offered_by_name": row["offered_by_name"],
        "is_mine": row["member_id"] == env.user_id,
        "status": row["status"],
        "offered_at": row["offered_at"],
        "closed_at": row["closed_at"],
    }


def search_swap_offers(
    env, *, status: str = None, first_day: str = None, last_day: str = None, offered_by_name: str = None
) -> dict:
    """Lists the swap offers of all members in order of the shift's start."""
    rows = env.query(
        """
        SELECT o.id, o.shift_place_id, p.duty_shift_id, s.kind, s.starts_at, s.ends_at,
               m.name AS offered_by_name, p.member_id, o.status, o.offered_at, o.closed_at
        FROM swap_offers o
        JOIN shift_places p ON p.id = o.shift_place_id
        JOIN duty_shifts s ON s.id = p.duty_shift_id
        JOIN members m ON m.id = p.member_id
        WHERE (:status IS NULL OR o.status = :status)
          AND (:first_day IS NULL OR substr(s.starts_at, 1, 10) >= :first_day)
          AND (:last_day IS NULL OR substr(s.starts_at, 1, 10) <= :last_day)
          AND (:offered_by_name IS NULL OR instr(lower(m.name), lower(:offered_by_name)) > 0)
        ORDER BY s.starts_at, o.id
        """,
        {
            "status": status,
            "first_day": first_day,
            "last_day": last_day,
            "offered_by_name": offered_by_name,
        },
    )
    return {"swap_offers": [_search_swap_offers_shape(env, row) for row in rows]}
