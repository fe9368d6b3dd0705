def list_settlements(env) -> dict:
    """Lists the settlements with municipality and collection place."""
    rows = env.query(
        "SELECT s.settlement, s.municipality, p.code AS place_code, s.what_holds "
        "FROM settlements s LEFT JOIN collection_places p ON p.id = s.collection_place_id ORDER BY s.id"
    )
    return {"settlements": rows}
