def search_free_lockers(env) -> dict:
    """Lists the lockers nobody rents and no club owns."""
    rows = env.query(
        "SELECT l.id, l.number FROM lockers l WHERE l.club_id IS NULL AND NOT EXISTS (SELECT 1 FROM locker_rentals r WHERE r.locker_id = l.id AND r.status = 'active') ORDER BY l.number",
        [],
    )
    return {"lockers": rows}
