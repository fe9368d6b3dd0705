def search_pitches(env, *, code: str = None, row_name: str = None, sector: str = None, status: str = None, min_front_m: float = None) -> dict:
    """Finds pitches by code, row, sector, status or front."""
    if code is not None and env.one("SELECT id FROM pitches WHERE code = ?", [code]) is None:
        raise env.Error(f"There is no pitch {code}.")
    rows = env.query(
        "SELECT id, code, row_name, number, front_m, sector, is_corner, has_water, status FROM pitches "
        "WHERE (:code IS NULL OR code = :code) AND (:row_name IS NULL OR row_name = :row_name) AND (:sector IS NULL OR sector = :sector) "
        "AND (:status IS NULL OR status = :status) AND (:min_front_m IS NULL OR front_m >= :min_front_m) "
        "ORDER BY CASE row_name WHEN 'podesta_side' THEN 1 WHEN 'comune_side' THEN 2 WHEN 'via_severoli' THEN 3 ELSE 4 END, number, id",
        {"code": code, "row_name": row_name, "sector": sector, "status": status, "min_front_m": min_front_m})
    return {"pitches": rows}
