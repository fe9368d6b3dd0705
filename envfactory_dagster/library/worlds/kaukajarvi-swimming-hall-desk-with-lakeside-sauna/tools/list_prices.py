def list_prices(env, *, category: str | None = None) -> dict:
    """Lists the price list on the wall."""
    rows = env.query(
        "SELECT id, code, name, category, price_cents, discount_price_cents FROM prices WHERE :c IS NULL OR category = :c ORDER BY id",
        {"c": category},
    )
    return {"prices": rows}
