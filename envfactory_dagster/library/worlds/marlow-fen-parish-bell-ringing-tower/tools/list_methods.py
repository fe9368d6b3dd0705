def list_methods(env) -> dict:
    """List all methods by name."""
    methods = env.query("SELECT id, name FROM methods ORDER BY name, id", [])
    return {"methods": methods}
