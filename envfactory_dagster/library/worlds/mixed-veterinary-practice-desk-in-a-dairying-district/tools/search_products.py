def search_products(env, *, name: str = None, is_prescription: int = None) -> dict:
    """List products with their price now."""
    return {"products": env.query("""
        SELECT id, name, unit, price_cents, is_prescription FROM products
        WHERE (:name IS NULL OR instr(lower(name), lower(:name)) > 0) AND (:rx IS NULL OR is_prescription = :rx)
        ORDER BY name, id""", {"name": name, "rx": is_prescription})}
