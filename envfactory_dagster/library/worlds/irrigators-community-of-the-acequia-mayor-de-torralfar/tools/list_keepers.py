def list_keepers(env) -> dict:
    """The keepers with their reach and what they do with the swap book."""
    return {
        "keepers": env.query(
            "SELECT id AS keeper_id, keeper, reach, first_sluice, last_sluice, swap_book FROM keepers ORDER BY id", []
        )
    }
