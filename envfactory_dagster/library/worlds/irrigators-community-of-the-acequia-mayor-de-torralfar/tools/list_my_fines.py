def list_my_fines(env, *, status: str = None) -> dict:
    """The member's fines of the Jurado."""
    return {
        "fines": env.query(
            "SELECT f.id AS fine_id, f.case_code, f.price_id, p.item, f.fined_on, f.amount_cents, f.due_on, f.status, "
            "CASE WHEN f.status = 'open' AND f.due_on < :today THEN 1 ELSE 0 END AS overdue, f.paid_at, f.paid_by "
            "FROM fines f JOIN prices p ON p.id = f.price_id "
            "WHERE f.member_id = :member AND (:status IS NULL OR f.status = :status) ORDER BY f.fined_on, f.id",
            {"today": env.now[:10], "member": env.user_id, "status": status},
        )
    }
