def list_prices(env) -> dict:
    """Lists the price list."""
    rows = env.query(
        "SELECT id, price_no, what, price_cents, surcharge_percent, second_line, second_price_cents FROM prices ORDER BY price_no", [])
    return {"prices": [dict(r) for r in rows]}
