def _list_my_loans_shape(env, row):
    loan = dict(row)
    if loan["returned_short"] is not None:
        loan["returned_short"] = bool(loan["returned_short"])
    return loan


def list_my_loans(env, *, status: str = None, first_due_day: str = None, last_due_day: str = None) -> dict:
    """Lists the user's own loans that meet all the given conditions, in order of their due day."""
    rows = env.query(
        """
        SELECT l.id, l.copy_id, c.label, c.title_id, t.name AS title_name, t.kind, l.status,
               l.borrowed_at, l.due_day, l.renewals, l.returned_at, l.returned_short
        FROM loans l
        JOIN copies c ON c.id = l.copy_id
        JOIN titles t ON t.id = c.title_id
        WHERE l.member_id = :member_id
          AND (:status IS NULL OR l.status = :status)
          AND (:first_due_day IS NULL OR l.due_day >= :first_due_day)
          AND (:last_due_day IS NULL OR l.due_day <= :last_due_day)
        ORDER BY l.due_day, l.id
        """,
        {
            "member_id": env.user_id,
            "status": status,
            "first_due_day": first_due_day,
            "last_due_day": last_due_day,
        },
    )
    return {"loans": [_list_my_loans_shape(env, row) for row in rows]}
