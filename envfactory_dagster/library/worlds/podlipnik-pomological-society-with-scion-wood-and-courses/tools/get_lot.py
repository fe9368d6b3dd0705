def get_lot(env, *, lot_id: int) -> dict:
    """Shows a lot with its pieces and the terms that speak of it."""
    row = env.one(
        "SELECT id AS lot_id, lot, kind, variety_code_id AS variety_id, name, rootstock, form_or_grade, wood_from, "
        "free_pieces, member_price_cents, handed_out_at, is_r, remark, "
        "pieces, reserved_or_sold FROM lots WHERE id = :lot_id",
        {"lot_id": lot_id},
    )
    if row is None:
        raise env.Error("There is no lot with the id " + str(lot_id) + ".")
    pieces = row.pop("pieces")
    reserved_or_sold = row.pop("reserved_or_sold")
    terms = env.query(
        "SELECT t.area, t.number, t.says FROM lot_terms x JOIN terms t ON t.id = x.term_id "
        "WHERE x.lot_id = :lot_id ORDER BY t.id",
        {"lot_id": lot_id},
    )
    return {"lot": row, "pieces": pieces, "reserved_or_sold": reserved_or_sold, "terms": terms}
