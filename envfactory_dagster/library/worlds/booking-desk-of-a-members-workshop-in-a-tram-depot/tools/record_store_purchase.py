def _list_store_purchases_show(env, store_purchase_id):
    return env.one(
        """SELECT p.id AS store_purchase_id, p.store_item_id, i.name, i.unit, p.quantity,
                  p.unit_price_cents, p.quantity * p.unit_price_cents AS amount_cents, p.stated_at
           FROM store_purchases p JOIN store_items i ON i.id = p.store_item_id
           WHERE p.id = ? AND p.member_id = ?""", [store_purchase_id, env.user_id])


def record_store_purchase(env, *, store_item_id: int, quantity: int) -> dict:
    """Puts what the user took from the store today on the account."""
    item = env.one("SELECT * FROM store_items WHERE id = ?", [store_item_id])
    if item is None:
        raise env.Error("there is no store item with the id " + str(store_item_id))
    if quantity < 1:
        raise env.Error("say how much you took: 1 or more")
    purchase_id = env.insert(
        """INSERT INTO store_purchases (member_id, store_item_id, quantity, unit_price_cents, stated_at)
           VALUES (?, ?, ?, ?, ?)""", [env.user_id, store_item_id, quantity, item["price_cents"], env.now])
    return {"store_purchase": _list_store_purchases_show(env, purchase_id)}
