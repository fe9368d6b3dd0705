from datetime import date


def _get_absence_notice_nights(env, first_day, last_day):
    return (date.fromisoformat(last_day) - date.fromisoformat(first_day)).days


def get_absence_notice(env, *, absence_notice_id: int) -> dict:
    """Show one absence notice of the user's own leases with the guest stays during it."""
    notice = env.one(
        """
        SELECT n.id, n.berth_lease_id, b.code AS berth_code, n.first_day, n.last_day, n.status,
               n.reported_at, n.withdrawn_at
        FROM absence_notices n
        JOIN berth_leases l ON l.id = n.berth_lease_id
        JOIN boats o ON o.id = l.boat_id
        JOIN berths b ON b.id = l.berth_id
        WHERE n.id = ? AND o.boat_owner_id = ?
        """,
        [absence_notice_id, env.user_id],
    )
    if notice is None:
        raise env.Error(f"you have no absence notice {absence_notice_id}")
    stays = env.query(
        """
        SELECT g.id, g.first_day, g.last_day, g.status, c.amount_cents AS credit_cents
        FROM guest_stays g
        LEFT JOIN owner_credits c ON c.guest_stay_id = g.id AND c.boat_owner_id = ?
        WHERE g.absence_notice_id = ?
        ORDER BY g.first_day, g.id
        """,
        [env.user_id, absence_notice_id],
    )
    result = dict(notice)
    result["nights"] = _get_absence_notice_nights(env, notice["first_day"], notice["last_day"])
    result["guest_stays"] = [
        {
            "id": stay["id"],
            "first_day": stay["first_day"],
            "last_day": stay["last_day"],
            "nights": _get_absence_notice_nights(env, stay["first_day"], stay["last_day"]),
            "status": stay["status"],
            "credit_cents": stay["credit_cents"],
        }
        for stay in stays
    ]
    return result
