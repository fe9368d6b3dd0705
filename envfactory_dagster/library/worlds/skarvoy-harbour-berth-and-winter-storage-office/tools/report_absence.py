from datetime import date

REPORT_ABSENCE_LEAD_DAYS = 3
REPORT_ABSENCE_LEAST_NIGHTS = 2
REPORT_ABSENCE_MOST_NIGHTS = 60


def _report_absence_day(env, text):
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise env.Error(f"{text} is not a day like 2026-03-02")


def report_absence(env, *, berth_lease_id: int, first_day: str, last_day: str) -> dict:
    """Report the user's boat away from its leased berth."""
    lease = env.one(
        """
        SELECT l.id, l.first_day, l.last_day, l.status, b.code AS berth_code
        FROM berth_leases l
        JOIN boats o ON o.id = l.boat_id
        JOIN berths b ON b.id = l.berth_id
        WHERE l.id = ? AND o.boat_owner_id = ?
        """,
        [berth_lease_id, env.user_id],
    )
    if lease is None:
        raise env.Error(f"you have no berth lease {berth_lease_id}")
    if lease["status"] != "active":
        raise env.Error(
            f"an absence can be reported only for an active lease; this one is {lease['status']}"
        )
    start = _report_absence_day(env, first_day)
    end = _report_absence_day(env, last_day)
    first_day = start.isoformat()
    last_day = end.isoformat()
    today = date.fromisoformat(env.now[:10])
    if (start - today).days < REPORT_ABSENCE_LEAD_DAYS:
        raise env.Error("an absence must be reported at least 3 days before its first day")
    nights = (end - start).days
    if nights < REPORT_ABSENCE_LEAST_NIGHTS:
        raise env.Error("an absence must last at least 2 nights")
    if nights > REPORT_ABSENCE_MOST_NIGHTS:
        raise env.Error(f"an absence may last at most 60 nights; this one has {nights}")
    if first_day < lease["first_day"] or last_day > lease["last_day"]:
        raise env.Error(
            f"the absence must lie within the lease, from {lease['first_day']} to {lease['last_day']}"
        )
    other = env.one(
        """
        SELECT first_day, last_day FROM absence_notices
        WHERE berth_lease_id = ? AND status <> 'withdrawn' AND first_day < ? AND last_day > ?
        ORDER BY first_day, id
        LIMIT 1
        """,
        [berth_lease_id, last_day, first_day],
    )
    if other is not None:
        raise env.Error(
            f"you have already reported an absence from {other['first_day']} to {other['last_day']}"
        )
    notice_id = env.insert(
        """
        INSERT INTO absence_notices (berth_lease_id, first_day, last_day, status, reported_at, withdrawn_at)
        VALUES (?, ?, ?, 'open', ?, NULL)
        """,
        [berth_lease_id, first_day, last_day, env.now],
    )
    return {
        "absence_notice": {
            "id": notice_id,
            "berth_lease_id": lease["id"],
            "berth_code": lease["berth_code"],
            "first_day": first_day,
            "last_day": last_day,
            "status": "open",
            "reported_at": env.now,
            "withdrawn_at": None,
        }
    }
