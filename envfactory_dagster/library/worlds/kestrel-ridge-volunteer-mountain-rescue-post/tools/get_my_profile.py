def get_my_profile(env) -> dict:
    """Show the user as a member, with the numbers that limits are checked against."""
    member = env.one("SELECT id, name FROM members WHERE id = ?", [env.user_id])
    if member is None:
        raise env.Error("you are not known as a member of the rescue post")
    to_come = env.one(
        """
        SELECT COUNT(*) AS n
        FROM exercise_places p
        JOIN exercises e ON e.id = p.exercise_id
        WHERE p.member_id = ? AND p.status = 'taken' AND e.status = 'planned' AND e.starts_at > ?
        """,
        [env.user_id, env.now],
    )["n"]
    offers = env.one(
        """
        SELECT COUNT(*) AS n
        FROM swap_offers o
        JOIN shift_places p ON p.id = o.shift_place_id
        WHERE p.member_id = ? AND o.status = 'open'
        """,
        [env.user_id],
    )["n"]
    loans = env.one(
        """
        SELECT COUNT(*) AS on_loan,
               COALESCE(SUM(CASE WHEN due_day < ? THEN 1 ELSE 0 END), 0) AS overdue
        FROM kit_loans
        WHERE member_id = ? AND status = 'out'
        """,
        [env.now[:10], env.user_id],
    )
    return {
        "id": member["id"],
        "name": member["name"],
        "exercise_places_to_come": to_come,
        "open_swap_offers": offers,
        "kit_items_on_loan": loans["on_loan"],
        "kit_items_overdue": loans["overdue"],
    }
