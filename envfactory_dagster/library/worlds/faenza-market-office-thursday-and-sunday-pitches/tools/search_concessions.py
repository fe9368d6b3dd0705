def search_concessions(env, *, pitch_code: str = None, trader_id: int = None, trader_name: str = None, weekday: str = None, sector: str = None, status: str = None) -> dict:
    """Finds concessions by pitch, holder, day of the week, sector or status."""
    if pitch_code is not None and env.one("SELECT id FROM pitches WHERE code = ?", [pitch_code]) is None:
        raise env.Error(f"There is no pitch {pitch_code}.")
    if trader_id is not None and env.one("SELECT id FROM traders WHERE id = ?", [trader_id]) is None:
        raise env.Error(f"There is no trader {trader_id}.")
    rows = env.query(
        "SELECT c.id, c.trader_id, c.pitch_id, c.weekday, c.price_category_id, c.suspended_on_fairs, c.status, c.granted_on, c.warned_on, c.ended_on, "
        "t.name AS trader_name, t.goods, p.code AS pitch_code, p.front_m, k.sector FROM concessions c JOIN traders t ON t.id = c.trader_id "
        "JOIN pitches p ON p.id = c.pitch_id JOIN price_categories k ON k.id = c.price_category_id "
        "WHERE (:code IS NULL OR p.code = :code) AND (:trader IS NULL OR c.trader_id = :trader) "
        "AND (:name IS NULL OR instr(lower(t.name), lower(:name)) > 0 OR instr(lower(t.business_name), lower(:name)) > 0) "
        "AND (:weekday IS NULL OR c.weekday = :weekday) AND (:sector IS NULL OR k.sector = :sector) AND (:status IS NULL OR c.status = :status) "
        "ORDER BY CASE p.row_name WHEN 'podesta_side' THEN 1 WHEN 'comune_side' THEN 2 WHEN 'via_severoli' THEN 3 ELSE 4 END, "
        "p.number, CASE c.weekday WHEN 'thursday' THEN 1 ELSE 2 END, c.id",
        {"code": pitch_code, "trader": trader_id, "name": trader_name, "weekday": weekday, "sector": sector, "status": status})
    return {"concessions": rows}
