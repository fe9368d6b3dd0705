def _list_item_types_free(env, item_type_id):
    row = env.one(
        """SELECT COUNT(*) AS n FROM items i WHERE i.item_type_id = :type AND i.status = 'in_store' AND NOT EXISTS (
             SELECT 1 FROM offers o WHERE o.item_id = i.id AND o.status = 'open' AND o.lapses_at >= :now)""",
        {"type": item_type_id, "now": env.now},
    )
    return row["n"]


def list_item_types(env) -> dict:
    """Lists the item types with their terms and stock."""
    rows = env.query(
        """SELECT t.id AS item_type_id, t.name, t.loan_weeks, t.max_renewals, t.deposit_cents, t.van_points,
                  t.counts_to_limit,
                  (SELECT COUNT(*) FROM items i JOIN offers o ON o.item_id = i.id
                   WHERE i.item_type_id = t.id AND o.status = 'open' AND o.lapses_at >= :now) AS offered_items,
                  (SELECT COUNT(*) FROM items i
                   WHERE i.item_type_id = t.id AND i.status = 'at_laundry') AS laundry_items
           FROM item_types t ORDER BY t.id""",
        {"now": env.now},
    )
    for row in rows:
        row["free_items"] = _list_item_types_free(env, row["item_type_id"])
    return {"item_types": rows}
