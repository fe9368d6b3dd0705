def list_my_outing_places(
    env,
    *,
    child_id: int = None,
    status: str = None,
    first_day: str = None,
    last_day: str = None,
) -> dict:
    """List the outing places of the user's own children that meet all the given conditions."""
    if child_id is not None:
        own = env.one(
            "SELECT id FROM children WHERE id = ? AND guardian_id = ?", [child_id, env.user_id]
        )
        if own is None:
            raise env.Error(f"you have no child {child_id} at the nursery")
    places = env.query(
        """
        SELECT p.id, p.woodland_outing_id, p.child_id, c.name AS child_name, o.leaves_at,
               o.meeting_spot, p.status, p.taken_at, p.given_up_at
        FROM outing_places p
        JOIN children c ON c.id = p.child_id
        JOIN woodland_outings o ON o.id = p.woodland_outing_id
        WHERE c.guardian_id = :user_id
          AND (:child_id IS NULL OR p.child_id = :child_id)
          AND (:status IS NULL OR p.status = :status)
          AND (:first_day IS NULL OR substr(o.leaves_at, 1, 10) >= :first_day)
          AND (:last_day IS NULL OR substr(o.leaves_at, 1, 10) <= :last_day)
        ORDER BY o.leaves_at, c.name, p.id
        """,
        {
            "user_id": env.user_id,
            "child_id": child_id,
            "status": status,
            "first_day": first_day,
            "last_day": last_day,
        },
    )
    return {"outing_places": places}
