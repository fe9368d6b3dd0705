def search_varieties(env, *, text: str = None, fruit: str = None, ploidy: str = None) -> dict:
    """Searches the varieties of the collection orchard."""
    rows = env.query(
        "SELECT id AS variety_id, code, name, also_known_as, fruit, orchard_row, place, second_tree, ripening, "
        "keeps_until, ploidy, scions_2026, remark FROM varieties "
        "WHERE (:fruit IS NULL OR fruit = :fruit) AND (:ploidy IS NULL OR ploidy = :ploidy) "
        "ORDER BY id",
        {"fruit": fruit, "ploidy": ploidy},
    )
    if text is not None:
        part = text.strip().casefold()
        rows = [
            row for row in rows
            if any(part in (row[field] or "").casefold() for field in ("code", "name", "also_known_as"))
        ]
    return {"varieties": rows}
