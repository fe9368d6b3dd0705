def get_woodland_outing(env, *, woodland_outing_id: int) -> dict:
    """Show one woodland outing with its number of taken places and the places of the user's children."""
    outing = env.one(
        """
        SELECT id, leaves_at, returns_at, meeting_spot, staff_count, status, called_off_at
        FROM woodland_outings
        WHERE id = ?
        """,
        [woodland_outing_id],
    )
    if outing is None:
        raise env.Error(f"there is no woodland outing {woodland_outing_id}")
    taken = env.one(
        """
        SELECT COUNT(*) AS n FROM outing_places
        WHERE woodland_outing_id = ? AND status IN ('taken', 'attended')
        """,
        [woodland_outing_id],
    )["n"]
    mine = env.query(
        """
        SELECT p.id, p.woodland_outing_id, p.child_id, c.name AS child_name, o.leaves_at,
               o.meeting_spot, p.status, p.taken_at, p.given_up_at
        FROM outing_places p
        JOIN children c ON c.id = p.child_id
        JOIN woodland_outings o ON o.id = p.woodland_outing_id
        WHERE p.woodland_outing_id = ? AND c.guardian_id = ?
        ORDER BY c.name, p.id
        """,
        [woodland_outing_id, env.user_id],
    )
    result = dict(outing)
    result["taken_places"] = taken
    result["my_outing_places"] = mine
    return result
