def list_halls(env) -> dict:
    """Lists the halls."""
    return {"halls": env.query("SELECT id AS hall_id, name FROM halls ORDER BY id", [])}
