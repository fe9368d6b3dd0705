from datetime import datetime, timedelta

WITHDRAW_ABSENCE_NOTICE_HOURS = 48


def withdraw_absence_notice(env, *, absence_notice_id: int) -> dict:
    """Withdraw an absence notice of the user's own lease for good."""
    notice = env.one(
        """
        SELECT n.id, n.berth_lease_id, l.berth_id, b.code AS berth_code, n.first_day, n.last_day,
               n.status, n.reported_at
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
    if notice["status"] == "withdrawn":
        raise env.Error("this absence notice has already been withdrawn")
    start = datetime.fromisoformat(notice["first_day"] + "T00:00:00")
    if datetime.fromisoformat(env.now) > start - timedelta(hours=WITHDRAW_ABSENCE_NOTICE_HOURS):
        raise env.Error(
            "an absence notice can be withdrawn only until 48 hours before its first day"
        )
    booked = env.one(
        """
        SELECT COUNT(*) AS n FROM guest_stays
        WHERE berth_id = ? AND status = 'booked' AND first_day < ? AND last_day > ?
        """,
        [notice["berth_id"], notice["last_day"], notice["first_day"]],
    )["n"]
    if booked > 0:
        raise env.Error("guests are booked in your berth for that time")
    env.execute(
        "UPDATE absence_notices SET status = 'withdrawn', withdrawn_at = ? WHERE id = ?",
        [env.now, absence_notice_id],
    )
    return {
        "absence_notice": {
            "id": notice["id"],
            "berth_lease_id": notice["berth_lease_id"],
            "berth_code": notice["berth_code"],
            "first_day": notice["first_day"],
            "last_day": notice["last_day"],
            "status": "withdrawn",
            "reported_at": notice["reported_at"],
            "withdrawn_at": env.now,
        }
    }
