def get_duty_shift(env, *, duty_shift_id: int) -> dict:
    """Shows one duty shift with the skills it requires, its free places and who is on it."""
    shift = env.one(
        "SELECT id, kind, starts_at, ends_at, most_places FROM duty_shifts WHERE id = :duty_shift_id",
        {"duty_shift_id": duty_shift_id},
    )
    if shift is None:
        raise env.Error(f"there is no duty shift {duty_shift_id}")
    skills = env.query(
        """
        SELECT k.id, k.name FROM duty_shift_skills d
        JOIN skills k ON k.id = d.skill_id
        WHERE d.duty_shift_id = :duty_shift_id
        ORDER BY k.name, k.id
        """,
        {"duty_shift_id": duty_shift_id},
    )
    places = env.query(
        """
        SELECT m.name AS member_name, p.member_id, p.status FROM shift_places p
        JOIN members m ON m.id = p.member_id
        WHERE p.duty_shift_id = :duty_shift_id AND p.status IN ('taken', 'offered', 'served')
        ORDER BY m.name, p.id
        """,
        {"duty_shift_id": duty_shift_id},
    )
    shown = dict(shift)
    shown["free_places"] = max(0, shift["most_places"] - len(places))
    shown["skills"] = [dict(row) for row in skills]
    shown["shift_places"] = [
        {
            "member_name": row["member_name"],
            "is_mine": row["member_id"] == env.user_id,
            "status": row["status"],
        }
        for row in places
    ]
    return shown
