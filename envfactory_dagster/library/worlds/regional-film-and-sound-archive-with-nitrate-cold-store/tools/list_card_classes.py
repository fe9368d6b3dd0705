def list_card_classes(env) -> dict:
    """Lists the classes of card."""
    rows = env.query(
        "SELECT id, card_class, class_name, card_price_no_id, valid_months, from_age, proof, cold_store_no_copy, cold_store_with_copy,"
        " technician_session_fee_cents FROM card_classes ORDER BY id", [])
    return {"card_classes": [dict(r) for r in rows]}
