def list_replacement_turns(env, *, first_day: str = None, last_day: str = None, concession_id: int = None) -> dict:
    """Lists where the four cheese sellers stand on fair Sundays."""
    if concession_id is not None and env.one("SELECT id FROM concessions WHERE id = ?", [concession_id]) is None:
        raise env.Error(f"There is no concession {concession_id}.")
    if first_day is not None and last_day is not None and first_day > last_day:
        raise env.Error("The first day lies after the last day.")
    rows = env.query(
        "SELECT r.id, r.market_day_id, r.concession_id, r.turn_pitch_id, r.pitch_id, r.committee_decision_id, r.status, m.held_on, "
        "t.name AS trader_name, q.code AS turn_pitch_code, p.code AS pitch_code FROM replacement_turns r JOIN market_days m ON m.id = r.market_day_id "
        "JOIN concessions c ON c.id = r.concession_id JOIN traders t ON t.id = c.trader_id JOIN pitches q ON q.id = r.turn_pitch_id JOIN pitches p ON p.id = r.pitch_id "
        "WHERE (:first IS NULL OR m.held_on >= :first) AND (:last IS NULL OR m.held_on <= :last) AND (:c IS NULL OR r.concession_id = :c) ORDER BY m.held_on, r.id",
        {"first": first_day, "last": last_day, "c": concession_id})
    return {"replacement_turns": rows}
