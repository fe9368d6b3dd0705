def list_jetties(env) -> dict:
    """Lists the jetties of the harbour by name."""
    rows = env.query("SELECT id, name FROM jetties ORDER BY name, id", {})
    return {"jetties": [dict(row) for row in rows]}
