def report_missing_piece(env, *, loan_id: int, piece: str, pieces_missing: int = 1) -> dict:
    """Open a piece report for the copy of the user's own loan that is out."""
    loan = env.one(
        """
        SELECT l.id, l.status, l.copy_id, c.label, c.status AS copy_status, t.name AS title_name
        FROM loans l
        JOIN copies c ON c.id = l.copy_id
        JOIN titles t ON t.id = c.title_id
        WHERE l.id = ? AND l.member_id = ?
        """,
        [loan_id, env.user_id],
    )
    if loan is None:
        raise env.Error(f"you have no loan {loan_id}")
    if loan["status"] != "out":
        raise env.Error("this loan has already been returned")
    piece = piece.strip()
    if not piece:
        raise env.Error("say which piece is missing")
    if pieces_missing < 1:
        raise env.Error("at least 1 piece must be missing")
    report_id = env.insert(
        """
        INSERT INTO piece_reports (copy_id, loan_id, piece, pieces_missing, status, reported_at, resolved_at)
        VALUES (?, ?, ?, ?, 'open', ?, NULL)
        """,
        [loan["copy_id"], loan["id"], piece, pieces_missing, env.now],
    )
    if loan["copy_status"] == "lendable":
        env.execute("UPDATE copies SET status = 'table_only' WHERE id = ?", [loan["copy_id"]])
    return {
        "piece_report": {
            "id": report_id,
            "copy_id": loan["copy_id"],
            "label": loan["label"],
            "title_name": loan["title_name"],
            "piece": piece,
            "pieces_missing": pieces_missing,
            "status": "open",
            "reported_at": env.now,
            "resolved_at": None,
        }
    }
