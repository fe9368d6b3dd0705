def get_club_evening(env, *, club_evening_id: int) -> dict:
    """Show one club evening with its host and every play table."""
    evening = env.one(
        "SELECT id, starts_at, ends_at, status FROM club_evenings WHERE id = ?", [club_evening_id]
    )
    if evening is None:
        raise env.Error(f"there is no club evening {club_evening_id}")
    host = env.one(
        """
        SELECT m.name
        FROM hosting_turns h
        JOIN members m ON m.id = h.member_id
        WHERE h.club_evening_id = ? AND h.status IN ('signed_up', 'carried_out')
        """,
        [club_evening_id],
    )
    tables = env.query(
        """
        SELECT p.id, p.name, p.seats,
               NOT EXISTS (
                   SELECT 1 FROM table_bookings b
                   WHERE b.club_evening_id = ? AND b.play_table_id = p.id
                     AND b.status IN ('booked', 'kept', 'missed')
               ) AS is_free
        FROM play_tables p
        ORDER BY p.seats, p.name, p.id
        """,
        [club_evening_id],
    )
    result = dict(evening)
    result["host_name"] = host["name"] if host is not None else None
    result["play_tables"] = [
        {
            "id": table["id"],
            "name": table["name"],
            "seats": table["seats"],
            "is_free": bool(table["is_free"]),
        }
        for table in tables
    ]
    return result
