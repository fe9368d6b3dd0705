def list_waiting_list_entries(env, *, status: str = None) -> dict:
    """Lists the pupil's own waiting list entries."""
    return {"waiting_list_entries": env.query(
        "SELECT id, kind, from_on, until_on, asked_at, status FROM waiting_list_entries WHERE pupil_id = :pupil"
        " AND (:status IS NULL OR status = :status) ORDER BY asked_at, id", {"pupil": env.user_id, "status": status})}
