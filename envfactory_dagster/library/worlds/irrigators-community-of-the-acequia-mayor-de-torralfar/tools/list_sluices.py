def list_sluices(env, *, reach: str = None) -> dict:
    """The sluices from head to tail."""
    return {
        "sluices": env.query(
            "SELECT s.id AS sluice_id, s.sluice, s.name, s.reach, s.keeper_id, k.keeper, s.kind, s.built, s.well_pipe, s.note "
            "FROM sluices s JOIN keepers k ON k.id = s.keeper_id WHERE (:reach IS NULL OR s.reach = :reach) ORDER BY s.sluice",
            {"reach": reach},
        )
    }
