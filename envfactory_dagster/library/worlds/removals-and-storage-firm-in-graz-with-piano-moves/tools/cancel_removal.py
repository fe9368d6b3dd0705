import datetime


def cancel_removal(env, *, removal_id: int) -> dict:
    """Cancels a removal of the user's and says what it costs by the cancellation terms."""
    removal = env.one(
        """SELECT code, status, removal_day, price_cents, deposit_cents, deposit_paid_on FROM removals
           WHERE id = :removal AND customer_id = :user""",
        {"removal": removal_id, "user": env.user_id},
    )
    if removal is None:
        raise env.Error(f"You have no removal {removal_id}.")
    if removal["status"] not in ("requested", "offered", "confirmed"):
        raise env.Error(f"Removal {removal['code']} is {removal['status'].replace('_', ' ')} and can no longer be cancelled.")
    today = datetime.date.fromisoformat(env.now[:10])
    days = (datetime.date.fromisoformat(removal["removal_day"]) - today).days
    if days < 0:
        raise env.Error(f"The day of removal {removal['code']}, {removal['removal_day']}, is past.")
    term = None
    if removal["status"] == "confirmed":
        term = env.one(
            """SELECT id, percent_of_price FROM cancellation_terms
               WHERE min_days_before <= ? ORDER BY min_days_before DESC LIMIT 1""",
            [days],
        )
    percent = 0 if term is None else term["percent_of_price"]
    fee = ((removal["price_cents"] or 0) * percent + 50) // 100
    paid = removal["deposit_cents"] if removal["deposit_paid_on"] is not None else 0
    env.execute(
        """UPDATE removals SET status = 'cancelled', cancelled_at = :now, cancellation_term_id = :term
           WHERE id = :removal AND customer_id = :user""",
        {"now": env.now, "term": None if term is None else term["id"], "removal": removal_id, "user": env.user_id},
    )
    return {
        "removal_id": removal_id,
        "status": "cancelled",
        "cancelled_at": env.now,
        "days_before": days,
        "percent_of_price": percent,
        "cancellation_fee_cents": fee,
        "deposit_paid_cents": paid,
        "refund_cents": max(0, paid - fee),
        "still_owed_cents": max(0, fee - paid),
    }
