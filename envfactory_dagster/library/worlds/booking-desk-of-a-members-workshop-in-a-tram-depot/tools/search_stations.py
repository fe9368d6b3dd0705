def search_stations(env, *, code: str = None, hall_id: int = None, induction_type_id: int = None,
                    is_red: int = None) -> dict:
    """Lists stations with prices, induction and days."""
    if hall_id is not None and env.one("SELECT id FROM halls WHERE id = ?", [hall_id]) is None:
        raise env.Error("there is no hall with the id " + str(hall_id))
    if induction_type_id is not None and env.one("SELECT id FROM induction_types WHERE id = ?",
                                                 [induction_type_id]) is None:
        raise env.Error("there is no induction with the id " + str(induction_type_id))
    return {"stations": env.query(
        """SELECT s.id AS station_id, s.code, s.machine, s.hall_id, h.name AS hall_name, s.induction_type_id,
                  t.name AS induction_type_name, s.hour_price_cents, s.day_price_cents, s.is_red, s.allowed_days
           FROM stations s JOIN halls h ON h.id = s.hall_id
           JOIN induction_types t ON t.id = s.induction_type_id
           WHERE (:code IS NULL OR lower(substr(s.code, 1, length(:code))) = lower(:code))
             AND (:hall IS NULL OR s.hall_id = :hall)
             AND (:induction IS NULL OR s.induction_type_id = :induction)
             AND (:red IS NULL OR s.is_red = :red) ORDER BY s.id""",
        {"code": code, "hall": hall_id, "induction": induction_type_id, "red": is_red})}
