def issueStock(env, *, memberNo: str, lines: list, draw_no: str | None = None) -> dict:
    """Hands out items from the shelf to the user and charges them."""
    m = env.one("SELECT id FROM members WHERE id = ? AND member_no = ?", [env.user_id, memberNo])
    if m is None:
        raise env.Error("the member number " + memberNo + " is not yours")
    draw = None
    if draw_no is not None:
        draw = env.one(
            "SELECT id, kg, container FROM draw_offs WHERE draw_no = ? AND member_id = ?",
            [draw_no, env.user_id],
        )
        if draw is None:
            raise env.Error("you have no draw-off " + draw_no)
    codes = [line["code"] for line in lines]
    if len(set(codes)) != len(codes):
        raise env.Error("name each item at most once")
    plan = []
    for line in lines:
        code = line["code"]
        quantity = line["quantity"]
        item = env.one("SELECT id, name, price_cents, on_hand FROM stock_items WHERE code = ?", [code])
        if item is None:
            raise env.Error("there is no item " + code + " on the shelf")
        if code in ("band_450", "band_900"):
            size = "jar_450" if code == "band_450" else "jar_900"
            if draw is None:
                raise env.Error("bands are handed out only against a draw-off of yours")
            if draw["container"] != size:
                raise env.Error("the draw-off " + draw_no + " was not into jars of the size of these bands")
            jars = int(round(draw["kg"] / (0.45 if size == "jar_450" else 0.9)))
            given = env.one(
                """SELECT COALESCE(SUM(quantity), 0) AS n FROM stock_issues
                   WHERE draw_off_id = ? AND stock_item_id = ?""",
                [draw["id"], item["id"]],
            )["n"]
            if quantity > jars - given:
                raise env.Error(
                    "only " + str(max(0, jars - given)) + " jars of " + draw_no + " are still without a band"
                )
        if quantity > item["on_hand"]:
            raise env.Error("only " + str(item["on_hand"]) + " of " + item["name"] + " are on the shelf")
        plan.append((code, quantity, item))
    result = []
    total = 0
    for code, quantity, item in plan:
        issue_id = env.insert(
            """INSERT INTO stock_issues (member_id, stock_item_id, draw_off_id, quantity, unit_price_cents, issued_at)
               VALUES (?, ?, ?, ?, ?, ?)""",
            [env.user_id, item["id"], None if draw is None else draw["id"], quantity, item["price_cents"], env.now],
        )
        env.execute("UPDATE stock_items SET on_hand = on_hand - ? WHERE id = ?", [quantity, item["id"]])
        amount = quantity * item["price_cents"]
        if amount > 0:
            env.insert(
                """INSERT INTO ledger_entries (member_id, kind, amount_cents, stock_issue_id, entered_at)
                   VALUES (?, 'stock', ?, ?, ?)""",
                [env.user_id, -amount, issue_id, env.now],
            )
        total += amount
        result.append(
            {
                "code": code,
                "quantity": quantity,
                "unit_price_cents": item["price_cents"],
                "on_hand": item["on_hand"] - quantity,
            }
        )
    return {"issued_at": env.now, "draw_no": draw_no, "lines": result, "total_cents": total}
