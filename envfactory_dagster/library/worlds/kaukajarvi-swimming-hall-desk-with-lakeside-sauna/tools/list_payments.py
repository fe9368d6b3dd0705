def list_payments(env, *, category: str | None = None, kind: str | None = None, method: str | None = None, first_day: str | None = None, last_day: str | None = None) -> dict:
    """Lists the user's payments and refunds."""
    rows = env.query(
        "SELECT p.id, p.receipt_number, p.kind, p.method, p.gift_card_id, p.amount_cents, p.paid_at, r.code AS price_code, r.name AS price_name, p.refunded_payment_id, p.entry_id, p.season_card_id, p.ten_visit_card_id, p.sold_gift_card_id, p.lane_booking_id, p.course_enrolment_id, p.swimmer_badge_id, p.sauna_turn_id, p.locker_rental_id, p.found_item_id FROM payments p JOIN prices r ON r.id = p.price_id WHERE p.customer_id = :u AND (:c IS NULL OR r.category = :c) AND (:k IS NULL OR p.kind = :k) AND (:m IS NULL OR p.method = :m) AND (:first IS NULL OR substr(p.paid_at, 1, 10) >= :first) AND (:last IS NULL OR substr(p.paid_at, 1, 10) <= :last) ORDER BY p.paid_at, p.id",
        {"u": env.user_id, "c": category, "k": kind, "m": method, "first": first_day, "last": last_day},
    )
    return {"payments": rows}
