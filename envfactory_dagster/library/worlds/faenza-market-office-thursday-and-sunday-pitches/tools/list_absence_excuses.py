def list_absence_excuses(env, *, concession_id: int = None, reason: str = None, status: str = None) -> dict:
    """Lists the excuses the user has sent in."""
    if concession_id is not None and env.one("SELECT id FROM concessions WHERE id = ? AND trader_id = ?", [concession_id, env.user_id]) is None:
        raise env.Error(f"You have no concession {concession_id}.")
    rows = env.query(
        "SELECT e.id, e.presence_id, e.reason, e.proof, e.proof_issued_by, e.proof_dated_on, e.sent_on, e.status, e.decided_on, p.concession_id, m.held_on "
        "FROM absence_excuses e JOIN presences p ON p.id = e.presence_id JOIN market_days m ON m.id = p.market_day_id JOIN concessions c ON c.id = p.concession_id "
        "WHERE c.trader_id = :me AND (:c IS NULL OR p.concession_id = :c) AND (:reason IS NULL OR e.reason = :reason) "
        "AND (:status IS NULL OR e.status = :status) ORDER BY m.held_on, e.id",
        {"me": env.user_id, "c": concession_id, "reason": reason, "status": status})
    return {"absence_excuses": rows}
