def list_prices(env, *, area: str = None) -> dict:
    """Lists the price list 2026, all of it or one part."""
    rows = env.query(
        "SELECT item, area, price_text, price_cents FROM price_items "
        "WHERE (:area IS NULL OR area = :area) ORDER BY id",
        {"area": area},
    )
    return {"price_items": rows}
