def list_draws(env, *, first_day: str = None, last_day: str = None) -> dict:
    """The Thursday draws in order of day."""
    return {
        "draws": env.query(
            "SELECT id AS draw_id, draw, thursday, hour, box_shuts, t04_on, t23_on FROM draws "
            "WHERE (:first IS NULL OR thursday >= :first) AND (:last IS NULL OR thursday <= :last) ORDER BY thursday, id",
            {"first": first_day, "last": last_day},
        )
    }
