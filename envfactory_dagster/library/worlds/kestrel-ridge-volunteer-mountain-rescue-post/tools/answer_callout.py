def answer_callout(env, *, callout_id: int, is_coming: bool) -> dict:
    """Answer an open callout for the user, or change an earlier answer, and log it."""
    callout = env.one("SELECT id, code, status FROM callouts WHERE id = ?", [callout_id])
    if callout is None:
        raise env.Error(f"there is no callout {callout_id}")
    if callout["status"] != "open":
        raise env.Error(f"callout {callout['code']} is no longer open")
    status = "coming" if is_coming else "not_coming"
    present = env.one(
        "SELECT id, status FROM callout_assignments WHERE callout_id = ? AND member_id = ?",
        [callout_id, env.user_id],
    )
    if present is not None and present["status"] in ("sent_out", "back"):
        raise env.Error("you have already been sent out on this callout")
    if present is None:
        assignment_id = env.insert(
            """
            INSERT INTO callout_assignments (callout_id, member_id, status, answered_at, sent_out_at, back_at)
            VALUES (?, ?, ?, ?, NULL, NULL)
            """,
            [callout_id, env.user_id, status, env.now],
        )
    else:
        assignment_id = present["id"]
        env.execute(
            """
            UPDATE callout_assignments SET status = ?, answered_at = ?
            WHERE id = ? AND member_id = ?
            """,
            [status, env.now, assignment_id, env.user_id],
        )
    env.insert(
        """
        INSERT INTO log_entries (callout_id, member_id, kind, happened_at, logged_at, note)
        VALUES (?, ?, 'answer', ?, ?, NULL)
        """,
        [callout_id, env.user_id, env.now, env.now],
    )
    member = env.one("SELECT name FROM members WHERE id = ?", [env.user_id])
    return {
        "callout_assignment": {
            "id": assignment_id,
            "callout_id": callout_id,
            "member_id": env.user_id,
            "member_name": member["name"],
            "is_mine": True,
            "status": status,
            "answered_at": env.now,
            "sent_out_at": None,
            "back_at": None,
        }
    }
