import datetime


def _object_to_end_date_day(env, text, what):
    """The day that a text gives, or a refusal."""
    try:
        return datetime.datetime.strptime(text, "%Y-%m-%d").date()
    except ValueError:
        raise env.Error(f"{what} must be a day such as 2026-03-02")


def object_to_end_date(env, *, cover_id: int, asked_end_on: str, reason: str) -> dict:
    """File an objection to the last day of a cancelled cover."""
    cover = env.one(
        "SELECT c.id, c.starts_on, c.ends_on, c.cancelled_at FROM covers c"
        " JOIN bicycles b ON b.id = c.bicycle_id JOIN policies p ON p.id = b.policy_id"
        " WHERE c.id = ? AND p.member_id = ?",
        [cover_id, env.user_id],
    )
    if cover is None:
        raise env.Error(f"you have no cover {cover_id}")
    if cover["cancelled_at"] is None:
        raise env.Error(f"cover {cover_id} was not cancelled")
    asked = _object_to_end_date_day(env, asked_end_on, "asked_end_on").isoformat()
    if asked == cover["ends_on"]:
        raise env.Error(f"{asked} is the last day of cover {cover_id} already")
    if asked < cover["starts_on"]:
        raise env.Error(f"cover {cover_id} began only on {cover['starts_on']}")
    open_one = env.one("SELECT id FROM objections WHERE cover_id = ? AND status = 'filed' LIMIT 1", [cover_id])
    if open_one is not None:
        raise env.Error(f"your objection about cover {cover_id} is not decided yet")
    objection_id = env.insert(
        "INSERT INTO objections (member_id, cover_id, about, asked_end_on, reason, status, filed_at)"
        " VALUES (?, ?, 'end_date', ?, ?, 'filed', ?)",
        [env.user_id, cover_id, asked, reason, env.now],
    )
    return env.one(
        "SELECT id, claim_id, cover_id, about, asked_own_risk_cents, asked_end_on, reason, status, filed_at, decided_at"
        " FROM objections WHERE id = ?",
        [objection_id],
    )
