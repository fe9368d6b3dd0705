def _list_guest_visits_show(env, guest_visit_id):
    return env.one(
        """SELECT id AS guest_visit_id, booking_id, guest_name, guest_age, carrying_only, starts_at,
                  ends_at, price_cents, status, announced_at, cancelled_at
           FROM guest_visits WHERE id = ? AND member_id = ?""", [guest_visit_id, env.user_id])


def cancel_guest_visit(env, *, guest_visit_id: int) -> dict:
    """Cancels an announced guest visit before it starts."""
    visit = env.one("SELECT * FROM guest_visits WHERE id = ? AND member_id = ?", [guest_visit_id, env.user_id])
    if visit is None:
        raise env.Error("you have no guest visit with the id " + str(guest_visit_id))
    if visit["status"] != "announced":
        raise env.Error("that visit is " + visit["status"])
    if visit["starts_at"] <= env.now:
        raise env.Error("that visit has already begun")
    env.execute("UPDATE guest_visits SET status = 'cancelled', cancelled_at = ? WHERE id = ?",
                [env.now, guest_visit_id])
    return {"guest_visit": _list_guest_visits_show(env, guest_visit_id)}
