from datetime import datetime, timedelta


def _return_tickets_pass_on(env, screening_id):
    """Offers seats that came free to those who wait: members first until 48 hours before, then by time."""
    if not "08:00:00" <= env.now[11:19] < "22:00:00":
        return
    place = env.one(
        """
        SELECT s.starts_at, h.seats - s.seats_held
               - (SELECT COUNT(*) FROM tickets k WHERE k.screening_id = s.id AND k.status <> 'returned')
               - (SELECT COALESCE(SUM(w.seats_offered), 0) FROM waiting_list_entries w
                  WHERE w.screening_id = s.id AND w.status = 'offered' AND w.offer_lapses_at >= :now) AS free
        FROM screenings s JOIN halls h ON h.id = s.hall_id WHERE s.id = :id AND s.status = 'scheduled' AND s.starts_at > :now
        """,
        {"id": screening_id, "now": env.now},
    )
    if place is None:
        return
    now = datetime.fromisoformat(env.now)
    start = datetime.fromisoformat(place["starts_at"])
    waiting = env.query(
        """
        SELECT w.id, w.seats_wanted FROM waiting_list_entries w
        WHERE w.screening_id = :id AND w.status = 'waiting'
        ORDER BY CASE WHEN :members_first = 1 AND EXISTS (SELECT 1 FROM memberships m WHERE m.account_id = w.account_id
                 AND m.starts_on <= :today AND m.ends_on >= :today) THEN 0 ELSE 1 END, w.since, w.id
        """,
        {"id": screening_id, "members_first": 1 if start - now > timedelta(hours=48) else 0, "today": env.now[:10]},
    )
    free = place["free"]
    lapses = (now + (timedelta(minutes=30) if start.date() == now.date() else timedelta(hours=3))).isoformat()
    for entry in waiting:
        if free <= 0:
            break
        offered = min(free, entry["seats_wanted"])
        env.execute(
            "UPDATE waiting_list_entries SET status = 'offered', seats_offered = ?, offer_sent_at = ?, offer_lapses_at = ? WHERE id = ?",
            [offered, env.now, lapses, entry["id"]],
        )
        free -= offered


def leave_waiting_list(env, *, waiting_list_entry_id: int) -> dict:
    """Takes the user off a waiting list."""
    entry = env.one("SELECT id, screening_id, status FROM waiting_list_entries WHERE id = ? AND account_id = ?", [waiting_list_entry_id, env.user_id])
    if entry is None:
        raise env.Error("You have no waiting-list place " + str(waiting_list_entry_id) + ".")
    if entry["status"] not in ("waiting", "offered"):
        raise env.Error("That place is closed already; it is " + entry["status"] + ".")
    env.execute("UPDATE waiting_list_entries SET status = 'left', closed_at = ? WHERE id = ?", [env.now, waiting_list_entry_id])
    if entry["status"] == "offered":
        _return_tickets_pass_on(env, entry["screening_id"])
    return {"waiting_list_entry_id": waiting_list_entry_id, "status": "left"}
