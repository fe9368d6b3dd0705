import re
from datetime import datetime


def _log_back_time(env, text):
    if re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}", text) is None:
        raise env.Error("the time must be given like 2026-03-02T09:00:00")
    try:
        return datetime.fromisoformat(text).isoformat(timespec="seconds")
    except ValueError:
        raise env.Error(f"{text} is not a time that exists")


def log_back(env, *, callout_id: int, happened_at: str) -> dict:
    """Log the user back from a callout to which they were sent out."""
    callout = env.one("SELECT id, code, status FROM callouts WHERE id = ?", [callout_id])
    if callout is None:
        raise env.Error(f"there is no callout {callout_id}")
    assignment = env.one(
        """
        SELECT a.id, a.status, a.answered_at, a.sent_out_at, m.name AS member_name
        FROM callout_assignments a
        JOIN members m ON m.id = a.member_id
        WHERE a.callout_id = ? AND a.member_id = ?
        """,
        [callout_id, env.user_id],
    )
    if assignment is None or assignment["status"] in ("coming", "not_coming"):
        raise env.Error(f"you were not sent out on callout {callout['code']}")
    if assignment["status"] == "back":
        raise env.Error(f"you are already logged back from callout {callout['code']}")
    back_at = _log_back_time(env, happened_at)
    if back_at < assignment["sent_out_at"]:
        raise env.Error(
            f"you were sent out at {assignment['sent_out_at']} and cannot have been back before"
        )
    if back_at > env.now:
        raise env.Error("the time at which you were back cannot lie after now")
    env.execute(
        """
        UPDATE callout_assignments SET status = 'back', back_at = ?
        WHERE id = ? AND member_id = ?
        """,
        [back_at, assignment["id"], env.user_id],
    )
    env.insert(
        """
        INSERT INTO log_entries (callout_id, member_id, kind, happened_at, logged_at, note)
        VALUES (?, ?, 'back', ?, ?, NULL)
        """,
        [callout_id, env.user_id, back_at, env.now],
    )
    if callout["status"] == "stood_down":
        out = env.one(
            "SELECT COUNT(*) AS n FROM callout_assignments WHERE callout_id = ? AND status = 'sent_out'",
            [callout_id],
        )["n"]
        if out == 0:
            env.execute(
                "UPDATE callouts SET status = 'closed', closed_at = ? WHERE id = ?",
                [env.now, callout_id],
            )
    return {
        "callout_assignment": {
            "id": assignment["id"],
            "callout_id": callout_id,
            "member_id": env.user_id,
            "member_name": assignment["member_name"],
            "is_mine": True,
            "status": "back",
            "answered_at": assignment["answered_at"],
            "sent_out_at": assignment["sent_out_at"],
            "back_at": back_at,
        }
    }
