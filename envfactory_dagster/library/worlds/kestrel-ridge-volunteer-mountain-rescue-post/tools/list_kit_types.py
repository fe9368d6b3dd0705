def list_kit_types(env) -> dict:
    """List the types of kit by name."""
    return {
        "kit_types": env.query(
            "SELECT id, name, most_falls, most_years FROM kit_types ORDER BY name, id", []
        )
    }
