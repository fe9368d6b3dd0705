def list_collection_days(env) -> dict:
    """Lists the days on which trees are handed out, with their places."""
    rows = env.query(
        "SELECT d.id AS tree_collection_day_id, d.held_on, d.weekday, d.from_time, d.to_time, d.for_what, "
        "p.code AS place_code, p.name AS place_name, p.settlement, p.municipality, p.takes_r_lots, p.in_charge, "
        "p.parking, p.notes, p.further_note "
        "FROM tree_collection_days d JOIN collection_places p ON p.id = d.place_id ORDER BY d.held_on, d.id"
    )
    return {"tree_collection_days": rows}
