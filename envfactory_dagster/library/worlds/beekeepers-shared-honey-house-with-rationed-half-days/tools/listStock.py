def listStock(env) -> dict:
    """Lists what stands on the shelf."""
    rows = env.query("SELECT code, name, price_cents, on_hand FROM stock_items ORDER BY id", [])
    return {"stock_items": [dict(r) for r in rows]}
