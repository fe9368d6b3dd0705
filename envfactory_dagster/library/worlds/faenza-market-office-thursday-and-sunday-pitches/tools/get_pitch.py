def get_pitch(env, *, pitch_id: int) -> dict:
    """Shows one pitch with its electricity points and the concessions on it."""
    pitch = env.one("SELECT id, code, row_name, number, front_m, sector, is_corner, has_water, status FROM pitches WHERE id = ?", [pitch_id])
    if pitch is None:
        raise env.Error(f"There is no pitch with the number {pitch_id} in the records.")
    tariffs = env.query(
        "SELECT t.id, t.code, t.name, t.max_kw, t.price_cents_per_day FROM pitch_electricity_tariffs p "
        "JOIN electricity_tariffs t ON t.id = p.electricity_tariff_id WHERE p.pitch_id = ? ORDER BY t.id", [pitch_id])
    concessions = env.query(
        "SELECT c.id, c.weekday, c.status, c.trader_id, t.name AS trader_name, t.goods FROM concessions c "
        "JOIN traders t ON t.id = c.trader_id WHERE c.pitch_id = ? AND c.ended_on IS NULL "
        "ORDER BY CASE c.weekday WHEN 'thursday' THEN 1 ELSE 2 END, c.id", [pitch_id])
    return {"pitch": pitch, "electricity_tariffs": tariffs, "concessions": concessions}
