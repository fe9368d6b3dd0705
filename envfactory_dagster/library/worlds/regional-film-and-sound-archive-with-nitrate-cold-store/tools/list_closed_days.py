def list_closed_days(env) -> dict:
    """Lists the closed days."""
    rows = env.query("SELECT id, first_day, last_day, occasion FROM closed_days ORDER BY first_day", [])
    return {"closed_days": [dict(r) for r in rows]}
