def list_skills(env) -> dict:
    """List all skills by name."""
    return {"skills": env.query("SELECT id, name FROM skills ORDER BY name, id", [])}
