import datetime

def _desk_date(env, text):
    """The day a text names, or a refusal."""
    try:
        return datetime.date.fromisoformat(text).isoformat()
    except ValueError:
        raise env.Error("there is no day " + str(text))


def _desk_plus_days(day, days):
    """The day so many days later (or earlier, if negative)."""
    return (datetime.date.fromisoformat(day[:10]) + datetime.timedelta(days=days)).isoformat()


def _desk_plus_months(day, months):
    """The same day so many months later (or earlier), or the last of that month."""
    year, month = divmod(int(day[:4]) * 12 + int(day[5:7]) - 1 + months, 12)
    last = 31
    while True:
        try:
            return datetime.date(year, month + 1, min(int(day[8:10]), last)).isoformat()
        except ValueError:
            last -= 1


def _desk_donor(env, donor_id):
    """The row of a donor, or a refusal."""
    row = env.one("SELECT * FROM donors WHERE id = ?", [donor_id])
    if row is None:
        raise env.Error("there is no donor with card number " + str(donor_id))
    return row


def list_donor_donations(env, *, donor_id: int, since: str = None) -> dict:
    """List the donations of a donor, the latest first."""
    _desk_donor(env, donor_id)
    first = None if since is None else _desk_date(env, since)
    rows = env.query(
        "SELECT d.donation_code, d.kind, d.given_on, s.site_code, d.volume_ml, d.failed FROM donations d "
        "JOIN sites s ON s.id = d.site_id WHERE d.donor_id = :donor AND (:since IS NULL OR d.given_on >= :since) "
        "ORDER BY d.given_on DESC, d.id DESC",
        {"donor": donor_id, "since": first},
    )
    return {
        "result": [
            {
                "donation_id": row["donation_code"],
                "kind": row["kind"],
                "given_on": row["given_on"],
                "site_code": row["site_code"],
                "volume_ml": row["volume_ml"],
                "failed": bool(row["failed"]),
            }
            for row in rows
        ]
    }
