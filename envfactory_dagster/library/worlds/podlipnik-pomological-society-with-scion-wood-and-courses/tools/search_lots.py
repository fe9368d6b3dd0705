def search_lots(
    env,
    *,
    text: str = None,
    kind: str = None,
    variety_id: int = None,
    form_or_grade: str = None,
    is_r: int = None,
    min_free_pieces: int = None,
    max_price_cents: int = None,
) -> dict:
    """Searches the lots of the stock list."""
    if variety_id is not None:
        variety = env.one("SELECT id FROM varieties WHERE id = :variety_id", {"variety_id": variety_id})
        if variety is None:
            raise env.Error("There is no variety " + str(variety_id) + ".")
    rows = env.query(
        "SELECT id AS lot_id, lot, kind, variety_code_id AS variety_id, name, rootstock, form_or_grade, wood_from, "
        "free_pieces, member_price_cents, handed_out_at, is_r, remark FROM lots "
        "WHERE (:kind IS NULL OR kind = :kind) AND (:variety_id IS NULL OR variety_code_id = :variety_id) "
        "AND (:form_or_grade IS NULL OR form_or_grade = :form_or_grade) AND (:is_r IS NULL OR is_r = :is_r) "
        "AND (:min_free_pieces IS NULL OR free_pieces >= :min_free_pieces) "
        "AND (:max_price_cents IS NULL OR member_price_cents <= :max_price_cents) "
        "ORDER BY id",
        {
            "kind": kind,
            "variety_id": variety_id,
            "form_or_grade": form_or_grade,
            "is_r": is_r,
            "min_free_pieces": min_free_pieces,
            "max_price_cents": max_price_cents,
        },
    )
    if text is not None:
        part = text.strip().casefold()
        rows = [
            row for row in rows
            if any(part in (row[field] or "").casefold() for field in ("lot", "name", "rootstock"))
        ]
    return {"lots": rows}
