def list_staff(env) -> dict:
    """Lists the people of the house."""
    rows = env.query("SELECT id, name, post, decides, extension, nitrate_certificate_since FROM staff ORDER BY id", [])
    return {"staff": [dict(r) for r in rows]}
