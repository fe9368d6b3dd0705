def offer_spare_part(env, *, piece_report_id: int, description: str) -> dict:
    """Offer a spare part of the user for an open piece report."""
    report = env.one("SELECT id, status FROM piece_reports WHERE id = ?", [piece_report_id])
    if report is None:
        raise env.Error(f"there is no piece report {piece_report_id}")
    if report["status"] != "open":
        raise env.Error("this piece report is already resolved and needs no spare part")
    description = description.strip()
    if not description:
        raise env.Error("say what you offer as a spare part")
    part_id = env.insert(
        """
        INSERT INTO spare_parts (member_id, piece_report_id, description, status, offered_at, decided_at)
        VALUES (?, ?, ?, 'offered', ?, NULL)
        """,
        [env.user_id, piece_report_id, description, env.now],
    )
    return {
        "spare_part": {
            "id": part_id,
            "piece_report_id": report["id"],
            "description": description,
            "status": "offered",
            "offered_at": env.now,
            "decided_at": None,
        }
    }
