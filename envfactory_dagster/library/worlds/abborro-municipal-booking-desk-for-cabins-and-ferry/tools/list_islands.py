def list_islands(env) -> dict:
    """Lists the islands with their season and where the ferry takes cars."""
    return {"islands": env.query(
        "SELECT id AS island_id, name, opens_on, closes_on, car_access FROM islands ORDER BY id", [])}
