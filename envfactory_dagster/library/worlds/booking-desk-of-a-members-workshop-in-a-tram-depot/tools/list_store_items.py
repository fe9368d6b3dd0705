def list_store_items(env) -> dict:
    """Lists what the store sells."""
    return {"store_items": env.query(
        "SELECT id AS store_item_id, name, unit, price_cents FROM store_items ORDER BY id", [])}
