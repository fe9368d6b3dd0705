def list_prices(env, *, section: str = None) -> dict:
    """The price list, whole or one section of it."""
    return {
        "prices": env.query(
            "SELECT id AS price_id, price_code, section, item, price_cents, terms, turn_id, hour_price_cents, applies_from "
            "FROM prices WHERE (:section IS NULL OR section = :section) ORDER BY id",
            {"section": section},
        )
    }
