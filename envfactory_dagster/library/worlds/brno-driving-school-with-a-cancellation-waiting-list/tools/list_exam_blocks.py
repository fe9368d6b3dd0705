def list_exam_blocks(env, *, kind: str = None, first_day: str = None, last_day: str = None) -> dict:
    """Lists the exam blocks of the town hall."""
    blocks = []
    for row in env.query(
        "SELECT b.id, b.calendar_day, b.kind, b.places, b.closes_at,"
        " (SELECT COUNT(*) FROM exam_places e WHERE e.exam_block_id = b.id AND e.status IN ('pencilled', 'confirmed', 'passed', 'failed')) AS taken,"
        " (SELECT COUNT(*) FROM exam_places e WHERE e.exam_block_id = b.id AND e.status = 'reserve') AS reserves"
        " FROM exam_blocks b WHERE (:kind IS NULL OR b.kind = :kind) AND (:first IS NULL OR b.calendar_day >= :first)"
        " AND (:last IS NULL OR b.calendar_day <= :last) ORDER BY b.calendar_day, b.id",
        {"kind": kind, "first": first_day, "last": last_day}):
        blocks.append({
            "id": row["id"], "calendar_day": row["calendar_day"], "kind": row["kind"], "places": row["places"],
            "closes_at": row["closes_at"], "places_left": max(0, row["places"] - row["taken"]), "reserves": row["reserves"],
        })
    return {"exam_blocks": blocks}
