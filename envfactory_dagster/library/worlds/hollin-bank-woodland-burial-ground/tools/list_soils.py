def list_soils(env) -> dict:
    """List the kinds of soil by name."""
    return {"soils": env.query("SELECT id, name FROM soils ORDER BY name, id", [])}
