def list_ten_visit_cards(env) -> dict:
    """Lists the user's 10-visit cards with the visits left."""
    rows = env.query(
        "SELECT t.id, t.card_number, t.customer_id, t.discount, t.sold_at, t.expires_on, 10 - (SELECT COUNT(*) FROM entries e WHERE e.ten_visit_card_id = t.id) AS visits_left FROM ten_visit_cards t WHERE t.customer_id = ? ORDER BY t.sold_at DESC, t.id DESC",
        [env.user_id],
    )
    return {"ten_visit_cards": rows}
