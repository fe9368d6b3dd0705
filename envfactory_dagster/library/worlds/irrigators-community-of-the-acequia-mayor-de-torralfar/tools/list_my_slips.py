def list_my_slips(env, *, draw_id: int = None, status: str = None) -> dict:
    """The member's own slips, the latest first."""
    if draw_id is not None and env.one("SELECT id FROM draws WHERE id = ?", [draw_id]) is None:
        raise env.Error("There is no draw " + str(draw_id) + ".")
    return {
        "slips": env.query(
            "SELECT s.id AS slip_id, s.draw_id, d.draw, s.choice, s.status, s.put_in_at, s.changed_at, s.closed_at "
            "FROM slips s JOIN draws d ON d.id = s.draw_id WHERE s.member_id = :member "
            "AND (:draw IS NULL OR s.draw_id = :draw) AND (:status IS NULL OR s.status = :status) ORDER BY s.put_in_at DESC, s.id DESC",
            {"member": env.user_id, "draw": draw_id, "status": status},
        )
    }
