def search_convoy_log(env, *, first_day: str = None, last_day: str = None, letter: str = None, direction: str = None, remarks: str = None) -> dict:
    """Finds entries of the tunnel log."""
    return {"entries": env.query(
        "SELECT g.day, t.convoy, k.letter, g.direction, g.scheduled_at, g.left_at, g.clear_at, g.boats, g.units,"
        " g.total_length_m, g.tug, g.tug_skipper, g.remarks FROM convoy_log g JOIN timetable t ON t.id = g.slot_id"
        " JOIN convoy_kinds k ON k.id = t.letter_id"
        " WHERE (:f IS NULL OR g.day >= :f) AND (:l IS NULL OR g.day <= :l) AND (:k IS NULL OR k.letter = :k)"
        " AND (:d IS NULL OR g.direction = :d) AND (:r IS NULL OR instr(lower(COALESCE(g.remarks, '')), lower(:r)) > 0)"
        " ORDER BY g.day, g.scheduled_at, g.id",
        {"f": first_day, "l": last_day, "k": letter, "d": direction, "r": remarks})}
