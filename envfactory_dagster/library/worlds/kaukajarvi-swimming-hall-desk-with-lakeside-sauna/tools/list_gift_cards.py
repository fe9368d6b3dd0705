def _desk_gift_card(env, gift_card_id):
    return env.one(
        "SELECT g.id, g.code, g.buyer_id, g.holder_id, g.value_cents, CASE g.status WHEN 'refunded' THEN 0 ELSE g.value_cents - COALESCE((SELECT SUM(CASE p.kind WHEN 'payment' THEN p.amount_cents ELSE -p.amount_cents END) FROM payments p WHERE p.gift_card_id = g.id), 0) END AS balance_cents, g.sold_at, g.expires_on, g.status, g.refunded_at FROM gift_cards g WHERE g.id = ?",
        [gift_card_id],
    )


def list_gift_cards(env) -> dict:
    """Lists the gift cards the user holds or has bought."""
    rows = env.query("SELECT id FROM gift_cards WHERE holder_id = :u OR buyer_id = :u ORDER BY sold_at DESC, id DESC", {"u": env.user_id})
    return {"gift_cards": [_desk_gift_card(env, row["id"]) for row in rows]}
