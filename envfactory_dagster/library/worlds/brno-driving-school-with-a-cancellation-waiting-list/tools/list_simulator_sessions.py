def list_simulator_sessions(env, *, status: str = None) -> dict:
    """Lists the pupil's own simulator sessions."""
    return {"simulator_sessions": env.query(
        "SELECT id, starts_at, status, booked_at, cancelled_at FROM simulator_sessions WHERE pupil_id = :pupil"
        " AND (:status IS NULL OR status = :status) ORDER BY starts_at, id", {"pupil": env.user_id, "status": status})}
