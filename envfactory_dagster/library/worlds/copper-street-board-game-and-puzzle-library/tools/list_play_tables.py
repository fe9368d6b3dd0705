def list_play_tables(env, *, min_seats: int = None) -> dict:
    """List the play tables by seats and then name."""
    tables = env.query(
        """
        SELECT id, name, seats
        FROM play_tables
        WHERE (:min_seats IS NULL OR seats >= :min_seats)
        ORDER BY seats, name, id
        """,
        {"min_seats": min_seats},
    )
    return {"play_tables": tables}
