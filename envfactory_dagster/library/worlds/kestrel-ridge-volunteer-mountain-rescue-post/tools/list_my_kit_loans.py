def list_my_kit_loans(env, *, status: str = None) -> dict:
    """Lists the user's own kit loans in order of their due day."""
    rows = env.query(
        """
        SELECT l.id, l.kit_item_id, k.label, t.name AS kit_type_name, l.status, l.borrowed_at, l.due_day, l.returned_at
        FROM kit_loans l
        JOIN kit_items k ON k.id = l.kit_item_id
        JOIN kit_types t ON t.id = k.kit_type_id
        WHERE l.member_id = :member_id AND (:status IS NULL OR l.status = :status)
        ORDER BY l.due_day, l.id
        """,
        {"member_id": env.user_id, "status": status},
    )
    return {"kit_loans": [dict(row) for row in rows]}
