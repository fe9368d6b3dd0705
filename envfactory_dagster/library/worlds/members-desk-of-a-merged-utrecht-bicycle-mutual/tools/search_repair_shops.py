def search_repair_shops(env, *, text: str = None, has_agreement: int = None) -> dict:
    """List the repair shops."""
    rows = env.query(
        "SELECT id, name, street, district, phone, has_agreement FROM repair_shops"
        " WHERE (:agreement IS NULL OR has_agreement = :agreement)"
        " AND (:text IS NULL OR instr(lower(name), lower(:text)) > 0 OR instr(lower(street), lower(:text)) > 0"
        " OR instr(lower(district), lower(:text)) > 0)"
        " ORDER BY name, id",
        {"text": text, "agreement": has_agreement},
    )
    return {"repair_shops": rows}
