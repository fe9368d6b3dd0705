from datetime import datetime, timedelta


def _list_my_waiting_list_entries_position(env, screening_id, entry_id, starts_at):
    """The place of an open entry on its list, 1 being next."""
    first = datetime.fromisoformat(starts_at) - datetime.fromisoformat(env.now) > timedelta(hours=48)
    rows = env.query(
        """
        SELECT w.id FROM waiting_list_entries w
        WHERE w.screening_id = :id AND w.status IN ('waiting', 'offered')
        ORDER BY CASE WHEN :members_first = 1 AND EXISTS (SELECT 1 FROM memberships m WHERE m.account_id = w.account_id
                 AND m.starts_on <= :today AND m.ends_on >= :today) THEN 0 ELSE 1 END, w.since, w.id
        """,
        {"id": screening_id, "members_first": 1 if first else 0, "today": env.now[:10]},
    )
    return [r["id"] for r in rows].index(entry_id) + 1


def list_my_waiting_list_entries(env, *, status: str | None = None) -> dict:
    """Lists the user's places on waiting lists, with position and running offer."""
    rows = env.query(
        """
        SELECT w.id, w.screening_id, t.name AS title_name, s.starts_at, w.seats_wanted, w.since, w.seats_offered, w.offer_sent_at, w.offer_lapses_at,
               w.lapsed_offers, w.status
        FROM waiting_list_entries w JOIN screenings s ON s.id = w.screening_id JOIN copies c ON c.id = s.copy_id JOIN titles t ON t.id = c.title_id
        WHERE w.account_id = :user AND (:status IS NULL OR w.status = :status)
        ORDER BY s.starts_at, w.id
        """,
        {"user": env.user_id, "status": status},
    )
    entries = []
    for row in rows:
        row["position"] = None
        if row["status"] in ("waiting", "offered"):
            row["position"] = _list_my_waiting_list_entries_position(env, row["screening_id"], row["id"], row["starts_at"])
        entries.append(row)
    return {"entries": entries}
