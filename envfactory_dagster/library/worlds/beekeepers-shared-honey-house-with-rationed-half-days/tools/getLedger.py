def getLedger(env, *, memberNo: str, kind: str | None = None, first_day: str | None = None, last_day: str | None = None) -> dict:
    """Lists the user's own ledger entries with the balance over all of them."""
    m = env.one("SELECT member_no FROM members WHERE id = ? AND member_no = ?", [env.user_id, memberNo])
    if m is None:
        raise env.Error("the member number " + memberNo + " is not yours")
    balance = env.one(
        "SELECT COALESCE(SUM(amount_cents), 0) AS n FROM ledger_entries WHERE member_id = ?",
        [env.user_id],
    )["n"]
    rows = env.query(
        """SELECT e.entered_at, e.kind, e.amount_cents, b.booking_no, l.loan_no, s.code AS stock_code
           FROM ledger_entries e
           LEFT JOIN bookings b ON b.id = e.booking_id
           LEFT JOIN loans l ON l.id = e.loan_id
           LEFT JOIN stock_issues i ON i.id = e.stock_issue_id
           LEFT JOIN stock_items s ON s.id = i.stock_item_id
           WHERE e.member_id = :user
             AND (:kind IS NULL OR e.kind = :kind)
             AND (:first IS NULL OR substr(e.entered_at, 1, 10) >= :first)
             AND (:last IS NULL OR substr(e.entered_at, 1, 10) <= :last)
           ORDER BY e.entered_at, e.id""",
        {"user": env.user_id, "kind": kind, "first": first_day, "last": last_day},
    )
    return {"member_no": m["member_no"], "balance_cents": balance, "entries": [dict(r) for r in rows]}
