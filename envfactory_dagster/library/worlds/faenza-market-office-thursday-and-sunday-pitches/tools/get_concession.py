def get_concession(env, *, concession_id: int) -> dict:
    """Shows one concession with its unexcused absences of the year and whether charges are open or overdue."""
    concession = env.one(
        "SELECT c.id, c.trader_id, c.pitch_id, c.weekday, c.price_category_id, c.suspended_on_fairs, c.status, c.granted_on, c.warned_on, c.ended_on, "
        "t.name AS trader_name, t.goods, p.code AS pitch_code, p.front_m, k.sector FROM concessions c JOIN traders t ON t.id = c.trader_id "
        "JOIN pitches p ON p.id = c.pitch_id JOIN price_categories k ON k.id = c.price_category_id WHERE c.id = ?", [concession_id])
    if concession is None:
        raise env.Error(f"There is no concession {concession_id}.")
    absences = env.one(
        "SELECT count(*) AS n FROM presences p JOIN market_days m ON m.id = p.market_day_id "
        "WHERE p.concession_id = ? AND p.status = 'absent' AND m.absences_count = 1 AND substr(m.held_on, 1, 4) = ?",
        [concession_id, env.now[:4]])
    charges = env.one(
        "SELECT count(*) AS open_n, coalesce(sum(due_on < ?), 0) AS overdue_n FROM fee_charges WHERE concession_id = ? AND status = 'open'",
        [env.now[:10], concession_id])
    return {
        "concession": concession,
        "unexcused_absences": absences["n"],
        "has_open_charge": charges["open_n"] > 0,
        "has_overdue_charge": charges["overdue_n"] > 0,
    }
