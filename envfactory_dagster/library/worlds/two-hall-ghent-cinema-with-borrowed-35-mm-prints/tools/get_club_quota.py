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


def get_club_quota(env, *, club_id: int, month: str) -> dict:
    """Shows what a club has used and reserved of its quota in a month and its season."""
    club = _get_club_quota_club(env, club_id)
    if not "01" <= month[5:7] <= "12":
        raise env.Error("There is no month " + month + ".")
    limits = _get_club_quota_limits(env, club, month, 0)
    in_month = limits["month"]
    in_season = limits["season"]
    return {
        "month_limit": 2, "month_used": in_month["used"], "month_reserved": in_month["reserved"],
        "month_left": max(0, 2 - in_month["used"] - in_month["reserved"]),
        "season_limit": limits["season_limit"], "season_used": in_season["used"], "season_reserved": in_season["reserved"],
        "season_left": max(0, limits["season_limit"] - in_season["used"] - in_season["reserved"]),
        "season_35mm_limit": 3, "season_35mm_taken": in_season["on_35mm"], "season_35mm_left": max(0, 3 - in_season["on_35mm"]),
    }
