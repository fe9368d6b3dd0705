def search_pieces(
    env,
    *,
    text: str | None = None,
    garment: str | None = None,
    period: str | None = None,
    condition: str | None = None,
    is_class_p: int | None = None,
    set_id: int | None = None,
    measure: str | None = None,
    inches: int | None = None,
    limit: int = 25,
    offset: int = 0,
) -> dict:
    """Finds pieces by what they are and what they can be altered to."""
    if (measure is None) != (inches is None):
        raise env.Error("measure and inches go together; give both or neither")
    if set_id is not None and env.one("SELECT id FROM sets WHERE id = ?", [set_id]) is None:
        raise env.Error(f"there is no set {set_id}")
    rows = env.query(
        "SELECT p.id, p.number, p.description, p.garment, p.period, p.material, p.cleaning_class, p.condition, "
        "p.is_class_p, p.is_nativity, p.set_id FROM pieces p WHERE (:garment IS NULL OR p.garment = :garment) "
        "AND (:period IS NULL OR lower(p.period) = lower(:period)) AND (:condition IS NULL OR p.condition = :condition) "
        "AND (:is_class_p IS NULL OR p.is_class_p = :is_class_p) AND (:set_id IS NULL OR p.set_id = :set_id) "
        "AND (:measure IS NULL OR EXISTS (SELECT 1 FROM piece_measurements m WHERE m.piece_id = p.id "
        "AND m.measure = :measure AND m.smallest_inches <= :inches AND m.largest_inches >= :inches)) ORDER BY p.number, p.id",
        {
            "garment": garment,
            "period": None if period is None else period.strip(),
            "condition": condition,
            "is_class_p": is_class_p,
            "set_id": set_id,
            "measure": measure,
            "inches": inches,
        },
    )
    words = [] if text is None else text.lower().split()
    found = [row for row in rows if all(word in row["description"].lower() for word in words)]
    return {"total_count": len(found), "pieces": found[offset : offset + limit]}
