def _withdraw_bulk_order_row(env, order_id: int) -> dict:
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


def withdraw_bulk_order(env, *, round_no: str) -> dict:
    """Withdraws the user's placed order from an open bulk round."""
    b = env.one("SELECT id, status, opens_on, closes_on FROM bulk_rounds WHERE round_no = ?", [round_no])
    if b is None:
        raise env.Error("there is no bulk round " + round_no)
    o = env.one(
        "SELECT id, status FROM bulk_orders WHERE bulk_round_id = ? AND member_id = ?",
        [b["id"], env.user_id],
    )
    if o is None:
        raise env.Error("you have no order in the bulk round " + round_no)
    if o["status"] != "placed":
        raise env.Error("your order in the bulk round " + round_no + " is " + o["status"])
    if b["status"] != "open" or env.now[:10] > b["closes_on"]:
        raise env.Error("the bulk round " + round_no + " is no longer open")
    env.execute("UPDATE bulk_orders SET status = 'withdrawn' WHERE id = ?", [o["id"]])
    return _withdraw_bulk_order_row(env, o["id"])
