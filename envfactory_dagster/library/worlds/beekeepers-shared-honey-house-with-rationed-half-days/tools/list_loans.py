def list_loans(env, *, status: str | None = None) -> dict:
    """Lists the user's own loans."""
    rows = env.query(
        """SELECT l.loan_no, e.tag, e.kind, e.name, l.lent_on, l.due_on, l.deposit_cents, l.status, l.returned_on,
                  l.condition, l.kept_cents
           FROM loans l JOIN equipment_items e ON e.id = l.equipment_item_id
           WHERE l.member_id = :user AND (:status IS NULL OR l.status = :status)
           ORDER BY l.lent_on DESC, l.id DESC""",
        {"user": env.user_id, "status": status},
    )
    return {"loans": [dict(r) for r in rows]}
