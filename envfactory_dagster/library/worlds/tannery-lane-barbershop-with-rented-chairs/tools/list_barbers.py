def list_barbers(env) -> dict:
    """Lists the barbers of the shop by name."""
    return {"barbers": env.query("SELECT id, name FROM barbers ORDER BY name, id", [])}
