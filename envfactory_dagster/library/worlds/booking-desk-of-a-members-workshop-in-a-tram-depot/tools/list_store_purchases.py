from datetime import date


def _list_calendar_days_parse(env, text):
    try:
        if len(text) != 10:
            raise ValueError(text)
        return date.fromisoformat(text)
    except ValueError:
        raise env.Error("there is no day " + text + "; write it as 2026-05-07")


def _list_calendar_days_stretch(env, first_day, last_day):
    first = None if first_day is None else _list_calendar_days_parse(env, first_day)
    last = None if last_day is None else _list_calendar_days_parse(env, last_day)
    if first is not None and last is not None and last < first:
        raise env.Error("the last day lies before the first day")


def _list_store_purchases_show(env, store_purchase_id):
    return env.one(
        """SELECT p.id AS store_purchase_id, p.store_item_id, i.name, i.unit, p.quantity,
                  p.unit_price_cents, p.quantity * p.unit_price_cents AS amount_cents, p.stated_at
           FROM store_purchases p JOIN store_items i ON i.id = p.store_item_id
           WHERE p.id = ? AND p.member_id = ?""", [store_purchase_id, env.user_id])


def list_store_purchases(env, *, first_day: str = None, last_day: str = None) -> dict:
    """Lists what the user took from the store, oldest first, with the sum."""
    _list_calendar_days_stretch(env, first_day, last_day)
    rows = env.query(
        """SELECT id FROM store_purchases WHERE member_id = :me
             AND (:first IS NULL OR substr(stated_at, 1, 10) >= :first)
             AND (:last IS NULL OR substr(stated_at, 1, 10) <= :last) ORDER BY stated_at, id""",
        {"me": env.user_id, "first": first_day, "last": last_day})
    purchases = [_list_store_purchases_show(env, row["id"]) for row in rows]
    return {"store_purchases": purchases, "total_cents": sum(row["amount_cents"] for row in purchases)}
