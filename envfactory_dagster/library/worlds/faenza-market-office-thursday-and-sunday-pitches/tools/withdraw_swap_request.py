def withdraw_swap_request(env, *, swap_request_id: int) -> dict:
    """Withdraws a swap request of the user that has not been answered."""
    request = env.one(
        "SELECT s.id, s.status FROM swap_requests s JOIN concessions c ON c.id = s.from_concession_id WHERE s.id = ? AND c.trader_id = ?", [swap_request_id, env.user_id])
    if request is None:
        raise env.Error(f"You have no swap request {swap_request_id}.")
    if request["status"] != "asked":
        raise env.Error(f"The swap request can no longer be withdrawn: it is {request['status']}.")
    env.execute("UPDATE swap_requests SET status = 'withdrawn' WHERE id = ?", [swap_request_id])
    row = env.one("SELECT s.id, s.from_concession_id, s.with_concession_id, s.asked_on, s.answer_due_on, s.status, s.answered_on, s.refusal_reason, s.committee_decision_id, "
        "c.weekday, t.name AS from_trader_name, u.name AS with_trader_name FROM swap_requests s JOIN concessions c ON c.id = s.from_concession_id "
        "JOIN traders t ON t.id = c.trader_id JOIN concessions d ON d.id = s.with_concession_id JOIN traders u ON u.id = d.trader_id WHERE s.id = ?", [swap_request_id])
    return {"swap_request": row}
