def list_road_hours(env, *, draw_id: int = None, turn_id: int = None, mine_only: bool = False) -> dict:
    """The outcomes of the draws held, by draw and turn."""
    if draw_id is not None and env.one("SELECT id FROM draws WHERE id = ?", [draw_id]) is None:
        raise env.Error("There is no draw " + str(draw_id) + ".")
    if turn_id is not None and env.one("SELECT id FROM turns WHERE id = ?", [turn_id]) is None:
        raise env.Error("There is no turn " + str(turn_id) + ".")
    return {
        "road_hours": env.query(
            "SELECT h.id AS road_hour_id, h.draw_id, d.draw, h.turn_id, t.turn, "
            "CASE t.turn WHEN 'T-04' THEN d.t04_on ELSE d.t23_on END AS water_on, h.slip_count, "
            "a.number AS drawn_number, a.name AS drawn_name, b.number AS reserve_number, b.name AS reserve_name, "
            "c.number AS taken_by_number, c.name AS taken_by_name, h.price_cents, h.status, h.paid_at, h.returned_cents, h.returned_at, h.keeper_note "
            "FROM road_hours h JOIN draws d ON d.id = h.draw_id JOIN turns t ON t.id = h.turn_id "
            "LEFT JOIN members a ON a.id = h.drawn_member_id LEFT JOIN members b ON b.id = h.reserve_member_id "
            "LEFT JOIN members c ON c.id = h.taken_by_member_id "
            "WHERE (:draw IS NULL OR h.draw_id = :draw) AND (:turn IS NULL OR h.turn_id = :turn) "
            "AND (:mine = 0 OR h.drawn_member_id = :member OR h.reserve_member_id = :member OR h.taken_by_member_id = :member) "
            "ORDER BY d.thursday, t.turn, h.id",
            {"draw": draw_id, "turn": turn_id, "mine": 1 if mine_only else 0, "member": env.user_id},
        )
    }
