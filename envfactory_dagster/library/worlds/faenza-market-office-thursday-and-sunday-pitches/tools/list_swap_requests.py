def list_swap_requests(env, *, status: str = None) -> dict:
    """Lists swap requests in which a concession of the user is one of the two."""
    rows = env.query(
        "SELECT s.id, s.from_concession_id, s.with_concession_id, s.asked_on, s.answer_due_on, s.status, s.answered_on, s.refusal_reason, s.committee_decision_id, "
        "c.weekday, t.name AS from_trader_name, u.name AS with_trader_name FROM swap_requests s JOIN concessions c ON c.id = s.from_concession_id "
        "JOIN traders t ON t.id = c.trader_id JOIN concessions d ON d.id = s.with_concession_id JOIN traders u ON u.id = d.trader_id "
        "WHERE (c.trader_id = :me OR d.trader_id = :me) AND (:status IS NULL OR s.status = :status) ORDER BY s.asked_on DESC, s.id DESC",
        {"me": env.user_id, "status": status})
    return {"swap_requests": rows}
