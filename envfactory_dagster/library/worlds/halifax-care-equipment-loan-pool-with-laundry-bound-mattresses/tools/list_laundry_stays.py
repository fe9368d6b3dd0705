import datetime


def _list_laundry_stays_release(env, dropped_on):
    closed = {row["day"]: row["reason"] for row in env.query("SELECT day, reason FROM laundry_closed_days ORDER BY day", [])}
    day = datetime.date.fromisoformat(dropped_on)
    skipped = []
    full_days = 0
    while full_days < 5:
        day += datetime.timedelta(days=1)
        if day.weekday() >= 5:
            continue
        if day.isoformat() in closed:
            skipped.append({"day": day.isoformat(), "reason": closed[day.isoformat()]})
        else:
            full_days += 1
    return (day + datetime.timedelta(days=1)).isoformat(), skipped


def list_laundry_stays(env, *, item_id: int = None, status: str = None) -> dict:
    """Lists laundry stays with the first day each mattress may go out."""
    if item_id is not None and env.one("SELECT id FROM items WHERE id = ?", [item_id]) is None:
        raise env.Error(f"there is no item {item_id}")
    rows = env.query(
        """SELECT s.id AS laundry_stay_id, s.item_id, i.tag, s.dropped_on, s.status, s.ended_on
           FROM laundry_stays s JOIN items i ON i.id = s.item_id
           WHERE (:item IS NULL OR s.item_id = :item) AND (:status IS NULL OR s.status = :status)
           ORDER BY s.dropped_on, s.id""",
        {"item": item_id, "status": status},
    )
    for row in rows:
        row["free_from"], row["closed_days_skipped"] = _list_laundry_stays_release(env, row["dropped_on"])
    return {"laundry_stays": rows}
