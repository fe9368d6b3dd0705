import datetime


def _cancel_cover_last_day(now):
    """The last day of the calendar month after the one of this moment."""
    year, month = int(now[:4]), int(now[5:7])
    months = year * 12 + month - 1 + 2
    first_after = datetime.date(months // 12, months % 12 + 1, 1)
    return (first_after - datetime.timedelta(days=1)).isoformat()


def cancel_cover(env, *, cover_id: int) -> dict:
    """Cancel a cover per the last day of the next calendar month."""
    cover = env.one(
        "SELECT c.id, c.starts_on, c.ends_on FROM covers c"
        " JOIN bicycles b ON b.id = c.bicycle_id JOIN policies p ON p.id = b.policy_id"
        " WHERE c.id = ? AND p.member_id = ?",
        [cover_id, env.user_id],
    )
    if cover is None:
        raise env.Error(f"you have no cover {cover_id}")
    if cover["ends_on"] is not None:
        raise env.Error(f"cover {cover_id} has {cover['ends_on']} as its last day already")
    last_day = _cancel_cover_last_day(env.now)
    if cover["starts_on"] > last_day:
        raise env.Error(f"cover {cover_id} starts only on {cover['starts_on']}, after it would end")
    env.execute("UPDATE covers SET ends_on = ?, cancelled_at = ? WHERE id = ?", [last_day, env.now, cover_id])
    return env.one(
        "SELECT id, bicycle_id, kind, insured_value_cents, monthly_premium_cents, starts_on, ends_on, cancelled_at"
        " FROM covers WHERE id = ?",
        [cover_id],
    )
