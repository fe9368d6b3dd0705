def list_breakages(env) -> dict:
    """What broke on the ditch this year."""
    return {
        "breakages": env.query(
            "SELECT b.id AS breakage_id, b.breakage, b.sluice_id, s.sluice, b.what, b.reported_on, b.broke_at, b.main_shut_until, b.mended_on, b.draw_id, d.draw "
            "FROM breakages b JOIN sluices s ON s.id = b.sluice_id LEFT JOIN draws d ON d.id = b.draw_id ORDER BY b.id",
            [],
        )
    }
