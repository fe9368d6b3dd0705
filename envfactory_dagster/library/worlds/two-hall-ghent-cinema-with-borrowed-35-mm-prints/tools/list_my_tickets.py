def list_my_tickets(env, *, status: str | None = None, first_day: str | None = None, last_day: str | None = None) -> dict:
    """Lists the user's own tickets by start of the screening."""
    if first_day is not None and last_day is not None and last_day < first_day:
        raise env.Error("The last day lies before the first.")
    rows = env.query(
        """
        SELECT k.id, k.screening_id, t.name AS title_name, s.starts_at, h.name AS hall_name, k.tariff, k.holder_age, k.price_cents, k.pass_id,
               k.voucher_id, k.voucher_cents, k.bought_at, k.swapped, k.status, k.refunded_money_cents, k.refund_voucher_id
        FROM tickets k JOIN screenings s ON s.id = k.screening_id JOIN copies c ON c.id = s.copy_id JOIN titles t ON t.id = c.title_id
        JOIN halls h ON h.id = s.hall_id
        WHERE k.account_id = :user AND (:status IS NULL OR k.status = :status)
          AND (:first_day IS NULL OR substr(s.starts_at, 1, 10) >= :first_day)
          AND (:last_day IS NULL OR substr(s.starts_at, 1, 10) <= :last_day)
        ORDER BY s.starts_at, k.id
        """,
        {"user": env.user_id, "status": status, "first_day": first_day, "last_day": last_day},
    )
    return {"tickets": [{**r, "swapped": bool(r["swapped"])} for r in rows]}
