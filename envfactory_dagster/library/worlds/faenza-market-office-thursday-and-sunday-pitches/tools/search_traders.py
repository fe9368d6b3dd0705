def search_traders(env, *, name: str = None, goods: str = None) -> dict:
    """Finds traders by name, business name or goods."""
    rows = env.query(
        "SELECT id, name, business_name, goods, is_local_producer, registered_on FROM traders "
        "WHERE (:name IS NULL OR instr(lower(name), lower(:name)) > 0 OR instr(lower(business_name), lower(:name)) > 0) "
        "AND (:goods IS NULL OR goods = :goods) ORDER BY name, id LIMIT 50",
        {"name": name, "goods": goods})
    return {"traders": rows}
