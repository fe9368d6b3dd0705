def list_sectors(env) -> dict:
    """List the sectors of the ridge by name."""
    return {"sectors": env.query("SELECT id, name FROM sectors ORDER BY name, id", [])}
