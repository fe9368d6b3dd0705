def search_van_slots(env, *, first_day: str = None, last_day: str = None, part_of_day: str = None,
                     volunteer_id: int = None, min_points_left: int = None) -> dict:
    """Lists open van slots from today on with the points they have left."""
    if volunteer_id is not None and env.one("SELECT id FROM volunteers WHERE id = ?", [volunteer_id]) is None:
        raise env.Error(f"there is no volunteer {volunteer_id}")
    if first_day is not None and last_day is not None and last_day < first_day:
        raise env.Error("the last day lies before the first day")
    rows = env.query(
        """SELECT s.id AS van_slot_id, s.volunteer_id, v.name AS volunteer_name, v.hoist_cleared_until, s.day, s.part_of_day,
                  4 - COALESCE((SELECT SUM(t.van_points) FROM deliveries d JOIN loans l ON l.id = d.loan_id
                                JOIN items i ON i.id = l.item_id JOIN item_types t ON t.id = i.item_type_id
                                WHERE d.van_slot_id = s.id AND d.status <> 'cancelled'), 0) AS points_left
           FROM van_slots s JOIN volunteers v ON v.id = s.volunteer_id
           WHERE s.status = 'open' AND s.day >= :today
             AND (:first IS NULL OR s.day >= :first) AND (:last IS NULL OR s.day <= :last)
             AND (:part IS NULL OR s.part_of_day = :part) AND (:volunteer IS NULL OR s.volunteer_id = :volunteer)
           ORDER BY s.day, CASE s.part_of_day WHEN 'morning' THEN 0 ELSE 1 END, s.id""",
        {"today": env.now[:10], "first": first_day, "last": last_day, "part": part_of_day, "volunteer": volunteer_id},
    )
    least = 0 if min_points_left is None else min_points_left
    return {"van_slots": [row for row in rows if row["points_left"] >= least]}
