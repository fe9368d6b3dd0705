def _cancel_fitting_row(env, fitting_id: int) -> dict:
    """A fitting of one of the user's customers."""
    fitting = env.one(
        "SELECT f.id, f.hire_line_id, f.person_id, f.starts_at, f.status, f.fee_cents, f.booked_at, l.hire_id, l.piece_id, "
        "l.wearer_person_id, l.status AS line_status FROM fittings f JOIN hire_lines l ON l.id = f.hire_line_id "
        "JOIN hires h ON h.id = l.hire_id WHERE f.id = ? AND EXISTS "
        "(SELECT 1 FROM person_roles r WHERE r.customer_id = h.customer_id AND r.person_id = ?)",
        [fitting_id, env.user_id],
    )
    if fitting is None:
        raise env.Error(f"you have no fitting {fitting_id}")
    if fitting["status"] != "booked":
        raise env.Error(f"that fitting is {fitting['status']}, not booked")
    if fitting["starts_at"] <= env.now:
        raise env.Error("that fitting is past")
    return fitting


def cancel_fitting(env, *, fitting_id: int) -> dict:
    """Takes a booked fitting out of the diary."""
    fitting = _cancel_fitting_row(env, fitting_id)
    env.execute("UPDATE fittings SET status = 'cancelled', cancelled_at = ? WHERE id = ?", [env.now, fitting["id"]])
    return {"id": fitting["id"], "status": "cancelled", "cancelled_at": env.now}
