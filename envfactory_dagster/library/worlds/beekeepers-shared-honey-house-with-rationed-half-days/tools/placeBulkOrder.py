def _placeBulkOrder_row(env, order_id: int) -> dict:
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


def placeBulkOrder(env, *, roundId: str, memberNo: str, sugarSacks: int, treatments: list) -> dict:
    """Places the user's order in an open bulk round or replaces the one there."""
    m = env.one(
        "SELECT id, treatment_journal_year FROM members WHERE id = ? AND member_no = ?",
        [env.user_id, memberNo],
    )
    if m is None:
        raise env.Error("the member number " + memberNo + " is not yours")
    b = env.one("SELECT id, status, opens_on, closes_on FROM bulk_rounds WHERE round_no = ?", [roundId])
    if b is None:
        raise env.Error("there is no bulk round " + roundId)
    today = env.now[:10]
    if b["status"] != "open" or today < b["opens_on"] or today > b["closes_on"]:
        raise env.Error("the bulk round " + roundId + " is not open for orders")
    if sugarSacks == 0 and not treatments:
        raise env.Error("an order needs sugar or a treatment")
    ids = [t["treatment_id"] for t in treatments]
    if len(set(ids)) != len(ids):
        raise env.Error("name each treatment at most once")
    for treatment_id in ids:
        offer = env.one(
            "SELECT id FROM treatments WHERE id = ? AND bulk_round_id = ?",
            [treatment_id, b["id"]],
        )
        if offer is None:
            raise env.Error("the bulk round " + roundId + " does not offer the treatment " + str(treatment_id))
    last_year = int(env.now[:4]) - 1
    if treatments and (m["treatment_journal_year"] is None or m["treatment_journal_year"] < last_year):
        raise env.Error("treatments are ordered only after the treatment journal of " + str(last_year) + " is handed in")
    old = env.one(
        "SELECT id, status FROM bulk_orders WHERE bulk_round_id = ? AND member_id = ?",
        [b["id"], env.user_id],
    )
    if old is not None and old["status"] == "collected":
        raise env.Error("your order in the bulk round " + roundId + " is already collected")
    if old is None:
        order_id = env.insert(
            """INSERT INTO bulk_orders (bulk_round_id, member_id, sugar_sacks, status, placed_at)
               VALUES (?, ?, ?, 'placed', ?)""",
            [b["id"], env.user_id, sugarSacks, env.now],
        )
    else:
        order_id = old["id"]
        env.execute(
            "UPDATE bulk_orders SET sugar_sacks = ?, status = 'placed', placed_at = ? WHERE id = ?",
            [sugarSacks, env.now, order_id],
        )
        env.execute("DELETE FROM bulk_order_treatments WHERE bulk_order_id = ?", [order_id])
    for t in treatments:
        env.insert(
            "INSERT INTO bulk_order_treatments (bulk_order_id, treatment_id, packs) VALUES (?, ?, ?)",
            [order_id, t["treatment_id"], t["packs"]],
        )
    return _placeBulkOrder_row(env, order_id)
