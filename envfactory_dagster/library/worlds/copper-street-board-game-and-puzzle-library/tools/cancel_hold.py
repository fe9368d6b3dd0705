def cancel_hold(env, *, hold_id: int) -> dict:
    """Cancel the user's own waiting or ready hold for good."""
    hold = env.one(
        """
        SELECT h.id, h.title_id, t.name AS title_name, h.copy_id, h.status, h.placed_at,
               h.ready_at, h.collected_at, h.expired_at, h.cancelled_at
        FROM holds h
        JOIN titles t ON t.id = h.title_id
        WHERE h.id = ? AND h.member_id = ?
        """,
        [hold_id, env.user_id],
    )
    if hold is None:
        raise env.Error(f"you have no hold {hold_id}")
    if hold["status"] not in ("waiting", "ready"):
        raise env.Error(f"this hold is already {hold['status']}")
    env.execute(
        "UPDATE holds SET status = 'cancelled', cancelled_at = ? WHERE id = ? AND member_id = ?",
        [env.now, hold_id, env.user_id],
    )
    result = dict(hold)
    result["status"] = "cancelled"
    result["cancelled_at"] = env.now
    return {"hold": result}
