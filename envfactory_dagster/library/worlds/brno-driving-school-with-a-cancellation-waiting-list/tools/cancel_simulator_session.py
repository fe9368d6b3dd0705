import datetime


def cancel_simulator_session(env, *, simulator_session_id: int) -> dict:
    """Cancels a simulator session; in time its charge is credited."""
    session = env.one("SELECT status, starts_at FROM simulator_sessions WHERE id = ? AND pupil_id = ?", [simulator_session_id, env.user_id])
    if session is None:
        raise env.Error(f"you have no simulator session {simulator_session_id}")
    if session["status"] != "booked" or session["starts_at"] <= env.now:
        raise env.Error("only a booked simulator session that has not begun can be cancelled")
    day_before = datetime.date.fromisoformat(session["starts_at"][:10]) - datetime.timedelta(days=1)
    charge = env.one(
        "SELECT id, amount_cents, credited_cents FROM charges WHERE simulator_session_id = ? AND pupil_id = ?",
        [simulator_session_id, env.user_id])
    credited = 0
    if charge is not None and env.now <= day_before.isoformat() + "T20:00:00":
        credited = charge["amount_cents"] - charge["credited_cents"]
    env.execute("UPDATE simulator_sessions SET status = 'cancelled', cancelled_at = ? WHERE id = ?", [env.now, simulator_session_id])
    if credited:
        env.execute(
            "UPDATE charges SET credited_cents = amount_cents, credited_at = ?, credit_reason = 'cancelled_in_time' WHERE id = ?",
            [env.now, charge["id"]])
    return {
        "simulator_session": env.one(
            "SELECT id, starts_at, status, booked_at, cancelled_at FROM simulator_sessions WHERE id = ?", [simulator_session_id]),
        "credited_cents": credited,
    }
