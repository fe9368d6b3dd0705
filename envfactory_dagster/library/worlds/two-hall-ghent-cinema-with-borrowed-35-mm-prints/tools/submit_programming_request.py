from datetime import date, datetime, timedelta


SUBMIT_PROGRAMMING_REQUEST_HOLIDAYS = (
    "2024-01-01", "2024-04-01", "2024-05-01", "2024-05-09", "2024-05-20", "2024-07-21", "2024-08-15", "2024-11-01", "2024-11-11", "2024-12-25",
    "2025-01-01", "2025-04-21", "2025-05-01", "2025-05-29", "2025-06-09", "2025-07-21", "2025-08-15", "2025-11-01", "2025-11-11", "2025-12-25",
    "2026-01-01", "2026-04-06", "2026-05-01", "2026-05-14", "2026-05-25", "2026-07-21", "2026-08-15", "2026-11-01", "2026-11-11", "2026-12-25",
    "2027-01-01", "2027-03-29", "2027-05-01", "2027-05-06", "2027-05-17", "2027-07-21", "2027-08-15", "2027-11-01", "2027-11-11", "2027-12-25",
)


def _buy_tickets_euro(cents):
    return "€" + str(cents // 100) + "." + str(cents % 100).zfill(2)


def _submit_programming_request_deadline(day, working_days):
    """17:00 of the n-th working day before a day, as text."""
    at = date.fromisoformat(day[:10])
    while working_days > 0:
        at -= timedelta(days=1)
        if at.weekday() < 5 and at.isoformat() not in SUBMIT_PROGRAMMING_REQUEST_HOLIDAYS:
            working_days -= 1
    return at.isoformat() + "T17:00:00"


def _plan_club_showing_moment(text):
    """A moment given by the caller as the tables write it, or None if it is none."""
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        return None
    return at.replace(tzinfo=None, microsecond=0).isoformat()


def _buy_tickets_blocked(env):
    account = env.one("SELECT block_reason, kansentarief FROM accounts WHERE id = ?", [env.user_id])
    if account["block_reason"] is not None:
        raise env.Error("Your account is blocked, so you can only look things up and return tickets: " + account["block_reason"] + ".")
    return account


def _get_club_quota_club(env, club_id):
    """A club the user is a contact of."""
    club = env.one(
        "SELECT id, name, treasurer_account_id, partner_since, last_settlement_open_cents FROM clubs "
        "WHERE id = :id AND (treasurer_account_id = :user OR second_contact_account_id = :user)",
        {"id": club_id, "user": env.user_id},
    )
    if club is None:
        raise env.Error("You are no contact of a club " + str(club_id) + ".")
    return club


def _get_club_quota_season(month):
    """First and last day of the season a month belongs to."""
    year = int(month[:4]) if int(month[5:7]) >= 9 else int(month[:4]) - 1
    return str(year) + "-09-01", str(year + 1) + "-08-31"


def _get_club_quota_counts(env, club_id, first_day, last_day, without_request):
    """Used and reserved screenings of a club between two days, and how many of them are on 35 mm."""
    rows = env.query(
        """
        SELECT 'used' AS what, c.carrier FROM screenings s JOIN copies c ON c.id = s.copy_id
        WHERE s.club_id = :club AND s.kind = 'club' AND s.status <> 'cancelled' AND substr(s.starts_at, 1, 10) BETWEEN :first AND :last
        UNION ALL
        SELECT 'used', r.carrier FROM programming_requests r JOIN loan_agreements l ON l.programming_request_id = r.id
        WHERE r.club_id = :club AND r.status = 'accepted' AND r.id <> :without AND l.status IN ('requested', 'signed')
          AND NOT EXISTS (SELECT 1 FROM screenings s WHERE s.loan_agreement_id = l.id)
          AND substr(r.quoted_start_at, 1, 10) BETWEEN :first AND :last
        UNION ALL
        SELECT 'reserved', r.carrier FROM programming_requests r
        WHERE r.club_id = :club AND r.id <> :without
          AND (r.status IN ('to_be_traced', 'submitted') OR (r.status = 'quoted' AND r.quote_valid_until >= :now))
          AND substr(COALESCE(r.quoted_start_at, r.first_wish_at), 1, 10) BETWEEN :first AND :last
        """,
        {"club": club_id, "first": first_day, "last": last_day, "without": without_request, "now": env.now},
    )
    return {
        "used": len([r for r in rows if r["what"] == "used"]),
        "reserved": len([r for r in rows if r["what"] == "reserved"]),
        "on_35mm": len([r for r in rows if r["carrier"] == "35mm"]),
    }


def _get_club_quota_limits(env, club, month, without_request):
    """Limits of a club and what is taken of them, in a month and its season."""
    first, last = _get_club_quota_season(month)
    since = club["partner_since"]
    ten = since[:4].isdigit() and (str(int(since[:4]) + 10) + since[4:10]) < env.now[:10]
    return {
        "season_limit": 10 if ten else 8,
        "month": _get_club_quota_counts(env, club["id"], month + "-01", month + "-31", without_request),
        "season": _get_club_quota_counts(env, club["id"], first, last, without_request),
    }


def _get_club_quota_refuse(env, club, at, carrier, without_request):
    """Refuses one more screening beyond the club's quota."""
    limits = _get_club_quota_limits(env, club, at[:7], without_request)
    if limits["month"]["used"] + limits["month"]["reserved"] >= 2:
        raise env.Error("club_quota_and_deadlines: " + club["name"] + " has its 2 screenings for " + at[:7] + " already; another month may still have room.")
    if limits["season"]["used"] + limits["season"]["reserved"] >= limits["season_limit"]:
        raise env.Error("club_quota_and_deadlines: " + club["name"] + " has used or reserved all its " + str(limits["season_limit"]) + " screenings of that season.")
    if carrier == "35mm" and limits["season"]["on_35mm"] >= 3:
        raise env.Error("club_quota_and_deadlines: " + club["name"] + " has its 3 screenings on 35 mm of that season already; on DCP there may still be room.")
    return limits


def submit_programming_request(env, *, club_id: int, title_id: int, carrier: str, first_wish_at: str, second_wish_at: str, third_wish_at: str, expected_public: int) -> dict:
    """Submits a club's request for a title with three dates."""
    club = _get_club_quota_club(env, club_id)
    _buy_tickets_blocked(env)
    title = env.one("SELECT id, name FROM titles WHERE id = ?", [title_id])
    if title is None:
        raise env.Error("There is no title " + str(title_id) + ".")
    wishes = [_plan_club_showing_moment(w) for w in (first_wish_at, second_wish_at, third_wish_at)]
    if any(w is None for w in wishes):
        raise env.Error("One of the three dates is no moment.")
    if len(set(wishes)) < 3:
        raise env.Error("club_quota_and_deadlines: a request names 3 different dates.")
    if len({datetime.fromisoformat(w).isocalendar()[:2] for w in wishes}) < 2:
        raise env.Error("club_quota_and_deadlines: the 3 dates must lie in at least 2 different weeks.")
    days = 30 if carrier == "35mm" else 15
    if env.now > _submit_programming_request_deadline(min(wishes), days):
        raise env.Error("club_quota_and_deadlines: a request on " + carrier + " must arrive " + str(days) + " working days before the first date, for " + min(wishes)[:10] + " by " + _submit_programming_request_deadline(min(wishes), days).replace("T", " ")[:16] + ".")
    if club["last_settlement_open_cents"] > 0:
        raise env.Error("club_quota_and_deadlines: " + _buy_tickets_euro(club["last_settlement_open_cents"]) + " of last season's settlement of " + club["name"] + " is still open.")
    limits = _get_club_quota_refuse(env, club, wishes[0], carrier, 0)
    known = env.one("SELECT id FROM copies WHERE title_id = ? AND carrier = ? AND condition IN ('good', 'worn') ORDER BY id LIMIT 1", [title_id, carrier])
    status = "to_be_traced" if known is None else "submitted"
    request_id = env.insert(
        "INSERT INTO programming_requests (club_id, title_id, carrier, first_wish_at, second_wish_at, third_wish_at, expected_public, status, submitted_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [club_id, title_id, carrier, wishes[0], wishes[1], wishes[2], expected_public, status, env.now],
    )
    return {
        "programming_request_id": request_id, "status": status,
        "quota_month_left": 1 - limits["month"]["used"] - limits["month"]["reserved"],
        "quota_season_left": limits["season_limit"] - 1 - limits["season"]["used"] - limits["season"]["reserved"],
    }
