def _list_bulk_orders_row(env, order_id: int) -> dict:
    o = env.one(
        """SELECT o.id, b.round_no, b.name AS round_name, b.closes_on, b.status AS round_status, o.status,
                  o.sugar_sacks, b.sack_price_cents, o.placed_at
           FROM bulk_orders o JOIN bulk_rounds b ON b.id = o.bulk_round_id
           WHERE o.id = ?""",
        [order_id],
    )
    packs = env.query(
        """SELECT x.treatment_id, t.name, x.packs, t.price_cents FROM bulk_order_treatments x
           JOIN treatments t ON t.id = x.treatment_id
           WHERE x.bulk_order_id = ? ORDER BY x.treatment_id""",
        [order_id],
    )
    row = {k: v for k, v in o.items() if k != "id"}
    row["treatments"] = [dict(p) for p in packs]
    row["total_cents"] = o["sugar_sacks"] * o["sack_price_cents"] + sum(p["packs"] * p["price_cents"] for p in packs)
    return row


def list_bulk_orders(env, *, status: str | None = None) -> dict:
    """Lists the user's own bulk orders with their totals."""
    orders = env.query(
        """SELECT o.id FROM bulk_orders o JOIN bulk_rounds b ON b.id = o.bulk_round_id
           WHERE o.member_id = :user AND (:status IS NULL OR o.status = :status)
           ORDER BY b.closes_on DESC, o.id DESC""",
        {"user": env.user_id, "status": status},
    )
    return {"bulk_orders": [_list_bulk_orders_row(env, o["id"]) for o in orders]}
