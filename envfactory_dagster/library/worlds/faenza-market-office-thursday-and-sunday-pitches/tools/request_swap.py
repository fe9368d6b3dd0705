import datetime

REQUEST_SWAP_ANSWER_DAYS = 30
REQUEST_SWAP_FINE_DAYS = 60

def _request_swap_concession(env, concession_id):
    return env.one(
        "SELECT c.id, c.trader_id, c.pitch_id, c.weekday, c.status, t.name, t.goods, k.sector, p.code, p.row_name, p.number FROM concessions c "
        "JOIN traders t ON t.id = c.trader_id JOIN price_categories k ON k.id = c.price_category_id JOIN pitches p ON p.id = c.pitch_id WHERE c.id = ?", [concession_id])

def _request_swap_in_debt(env, trader_id):
    today = datetime.date.fromisoformat(env.now[:10])
    latest = (today - datetime.timedelta(days=REQUEST_SWAP_FINE_DAYS)).isoformat()
    owed = env.one(
        "SELECT (SELECT count(*) FROM fee_charges WHERE trader_id = :t AND status = 'open' AND due_on < :today) "
        "+ (SELECT count(*) FROM breach_reports WHERE trader_id = :t AND status = 'served' AND served_on < :latest) AS n",
        {"t": trader_id, "today": today.isoformat(), "latest": latest})
    return owed["n"] > 0

def _request_swap_beside(env, goods, pitch, leaving_id, coming_id):
    if goods not in ("cheese", "fish"):
        return None
    other = "fish" if goods == "cheese" else "cheese"
    return env.one(
        "SELECT p.code, x.name FROM ("
        "SELECT c.pitch_id, t.name FROM concessions c JOIN traders t ON t.id = c.trader_id WHERE c.weekday = :weekday AND c.ended_on IS NULL AND t.goods = :other "
        "AND c.id NOT IN (:leaving, :coming) "
        "UNION ALL SELECT r.pitch_id, t.name FROM replacement_turns r JOIN concessions c ON c.id = r.concession_id JOIN traders t ON t.id = c.trader_id "
        "JOIN market_days m ON m.id = r.market_day_id WHERE m.weekday = :weekday AND m.held_on >= :today AND r.status = 'planned' AND t.goods = :other) x "
        "JOIN pitches p ON p.id = x.pitch_id WHERE p.row_name = :row AND abs(p.number - :number) = 1 ORDER BY p.number, x.name LIMIT 1",
        {"weekday": pitch["weekday"], "other": other, "leaving": leaving_id, "coming": coming_id, "today": env.now[:10], "row": pitch["row_name"], "number": pitch["number"]})

def request_swap(env, *, from_concession_id: int, with_concession_id: int) -> dict:
    """Asks for a swap of pitches for good between two holders."""
    mine = _request_swap_concession(env, from_concession_id)
    if mine is None or mine["trader_id"] != env.user_id:
        raise env.Error(f"You have no concession {from_concession_id}.")
    theirs = _request_swap_concession(env, with_concession_id)
    if theirs is None:
        raise env.Error(f"There is no concession {with_concession_id}.")
    if theirs["trader_id"] == env.user_id:
        raise env.Error("A swap is made with another holder, not between two concessions of your own.")
    for one in (mine, theirs):
        if one["status"] != "active":
            raise env.Error(f"The concession for {one['code']} is not active: it is {one['status']}.")
    if mine["weekday"] != theirs["weekday"]:
        raise env.Error("The two concessions are not for the same day of the week.")
    if mine["sector"] != theirs["sector"]:
        raise env.Error("The two concessions are not of the same sector, food or non-food.")
    if _request_swap_in_debt(env, mine["trader_id"]):
        raise env.Error("You have an overdue charge or fine; pay it before asking for a swap.")
    if _request_swap_in_debt(env, theirs["trader_id"]):
        raise env.Error(f"{theirs['name']} has an overdue charge or fine.")
    for goods, pitch in ((mine["goods"], theirs), (theirs["goods"], mine)):
        beside = _request_swap_beside(env, goods, pitch, mine["id"], theirs["id"])
        if beside is not None:
            raise env.Error(f"The swap would put cheese beside fish: {pitch['code']} is next to {beside['code']} ({beside['name']}).")
    if {mine["goods"], theirs["goods"]} == {"cheese", "fish"} and mine["row_name"] == theirs["row_name"] and abs(mine["number"] - theirs["number"]) == 1:
        raise env.Error(f"The swap would put cheese beside fish: {mine['code']} is next to {theirs['code']}.")
    if env.one(
            "SELECT id FROM swap_requests WHERE status = 'asked' AND ((from_concession_id = :a AND with_concession_id = :b) OR (from_concession_id = :b AND with_concession_id = :a))",
            {"a": from_concession_id, "b": with_concession_id}) is not None:
        raise env.Error("A swap between these two concessions has already been asked for and is not answered yet.")
    today = datetime.date.fromisoformat(env.now[:10])
    new = env.insert(
        "INSERT INTO swap_requests (from_concession_id, with_concession_id, asked_on, answer_due_on, status) VALUES (?, ?, ?, ?, 'asked')",
        [from_concession_id, with_concession_id, today.isoformat(), (today + datetime.timedelta(days=REQUEST_SWAP_ANSWER_DAYS)).isoformat()])
    row = env.one("SELECT s.id, s.from_concession_id, s.with_concession_id, s.asked_on, s.answer_due_on, s.status, s.answered_on, s.refusal_reason, s.committee_decision_id, "
        "c.weekday, t.name AS from_trader_name, u.name AS with_trader_name FROM swap_requests s JOIN concessions c ON c.id = s.from_concession_id "
        "JOIN traders t ON t.id = c.trader_id JOIN concessions d ON d.id = s.with_concession_id JOIN traders u ON u.id = d.trader_id WHERE s.id = ?", [new])
    return {"swap_request": row}
