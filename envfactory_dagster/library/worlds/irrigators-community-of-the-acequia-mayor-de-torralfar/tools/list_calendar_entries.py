def list_calendar_entries(env, *, day: str = None) -> dict:
    """The days and hours of the year that hold for everybody."""
    return {
        "calendar_entries": env.query(
            "SELECT id AS calendar_entry_id, entry, from_day, to_day, what FROM calendar_entries "
            "WHERE :day IS NULL OR ((from_day IS NULL OR from_day <= :day) AND (to_day IS NULL OR to_day >= :day)) ORDER BY id",
            {"day": day},
        )
    }
