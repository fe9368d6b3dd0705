def get_callout(env, *, callout_id: int) -> dict:
    """Show one callout with everybody's answers and whereabouts, and its log."""
    callout = env.one(
        """
        SELECT c.id, c.code, c.sector_id, s.name AS sector_name, c.reason, c.status, c.opened_at,
               c.stood_down_at, c.closed_at
        FROM callouts c
        JOIN sectors s ON s.id = c.sector_id
        WHERE c.id = ?
        """,
        [callout_id],
    )
    if callout is None:
        raise env.Error(f"there is no callout {callout_id}")
    assignments = env.query(
        """
        SELECT a.id, a.callout_id, a.member_id, m.name AS member_name, a.status, a.answered_at,
               a.sent_out_at, a.back_at
        FROM callout_assignments a
        JOIN members m ON m.id = a.member_id
        WHERE a.callout_id = ?
        ORDER BY a.answered_at, a.id
        """,
        [callout_id],
    )
    entries = env.query(
        """
        SELECT l.id, l.member_id, m.name AS member_name, l.kind, l.happened_at, l.logged_at, l.note
        FROM log_entries l
        JOIN members m ON m.id = l.member_id
        WHERE l.callout_id = ?
        ORDER BY l.happened_at, l.id
        """,
        [callout_id],
    )
    result = dict(callout)
    result["callout_assignments"] = [
        {
            "id": row["id"],
            "callout_id": row["callout_id"],
            "member_id": row["member_id"],
            "member_name": row["member_name"],
            "is_mine": bool(row["member_id"] == env.user_id),
            "status": row["status"],
            "answered_at": row["answered_at"],
            "sent_out_at": row["sent_out_at"],
            "back_at": row["back_at"],
        }
        for row in assignments
    ]
    result["log_entries"] = entries
    return result
