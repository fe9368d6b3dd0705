def list_mentors(env) -> dict:
    """Lists the mentors."""
    rows = env.query(
        "SELECT member_no, name, village FROM members WHERE is_mentor = 1 ORDER BY name, id",
        [],
    )
    return {"mentors": [dict(r) for r in rows]}
