def list_bells(env) -> dict:
    """List the bells of the tower by number."""
    bells = env.query(
        "SELECT id, number, weight_kg, is_tenor, daily_minutes FROM bells ORDER BY number",
        [],
    )
    return {"bells": bells}
