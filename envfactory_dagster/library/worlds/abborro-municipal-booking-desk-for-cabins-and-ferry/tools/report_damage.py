def _get_stay_row(env, stay_id):
    """A stay of the household as the tools show it."""
    row = env.one(
        "SELECT s.id AS stay_id, s.code, s.cabin_id, c.name AS cabin_name, c.island_id, s.arrives_on, s.leaves_on,"
        " s.adults, s.children, s.infants, s.own_boat, s.price_cents, s.status, s.booked_at, s.cancelled_at,"
        " s.cancelled_by, s.split_from_stay_id FROM stays s JOIN cabins c ON c.id = s.cabin_id"
        " WHERE s.id = ? AND s.household_id = ?", [stay_id, env.user_id])
    if row is None:
        raise env.Error(f"You have no stay {stay_id}.")
    return row


def report_damage(env, *, stay_id: int, happened_on: str, description: str) -> dict:
    """Reports damage in the cabin of a stay that has begun."""
    stay = _get_stay_row(env, stay_id)
    if stay["status"] in ("cancelled", "lapsed") or stay["arrives_on"] > env.now[:10]:
        raise env.Error(f"Stay {stay['code']} was {stay['status']} or has not begun.")
    if not stay["arrives_on"] <= happened_on <= stay["leaves_on"]:
        raise env.Error(f"The stay lasted from {stay['arrives_on']} to {stay['leaves_on']}.")
    if happened_on > env.now[:10]:
        raise env.Error("The damage cannot have happened in the future.")
    report_id = env.insert(
        "INSERT INTO damage_reports (household_id, stay_id, happened_on, description, status, reported_at)"
        " VALUES (?, ?, ?, ?, 'open', ?)", [env.user_id, stay_id, happened_on, description, env.now])
    return {"damage_report": env.one("SELECT id AS damage_report_id, stay_id, happened_on, description, status,"
                                     " reported_at FROM damage_reports WHERE id = ?", [report_id])}
