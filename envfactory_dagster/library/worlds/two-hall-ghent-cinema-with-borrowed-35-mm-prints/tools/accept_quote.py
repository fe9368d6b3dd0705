from datetime import datetime, timedelta


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


def _search_hall_blocks_taken(env, hall_id, starts_at, ends_at):
    """What stands in the way of a use of a hall between two moments, or None."""
    return env.one(
        """
        SELECT s.starts_at FROM screenings s JOIN copies c ON c.id = s.copy_id JOIN titles t ON t.id = c.title_id
        WHERE s.hall_id = :hall AND s.status <> 'cancelled' AND s.starts_at < :until
          AND strftime('%Y-%m-%dT%H:%M:%S', s.starts_at, '+' || t.minutes || ' minutes') > :from_
        UNION ALL
        SELECT b.starts_at FROM hall_bookings b
        WHERE b.hall_id = :hall AND (b.status = 'confirmed' OR (b.status = 'option' AND b.option_until >= :now))
          AND b.starts_at < :until AND b.ends_at > :from_
        ORDER BY 1 LIMIT 1
        """,
        {"hall": hall_id, "from_": starts_at, "until": ends_at, "now": env.now},
    )


def _accept_quote_request(env, programming_request_id):
    """A request of a club the user is a contact of."""
    request = env.one(
        """
        SELECT r.id, r.club_id, r.title_id, r.carrier, r.status, r.quoted_copy_id, r.quoted_hall_id, r.quoted_start_at,
               r.quote_hall_cents, r.quote_loan_fee_cents, r.quote_35mm_cents, r.quote_valid_until, b.treasurer_account_id
        FROM programming_requests r JOIN clubs b ON b.id = r.club_id
        WHERE r.id = :id AND (b.treasurer_account_id = :user OR b.second_contact_account_id = :user)
        """,
        {"id": programming_request_id, "user": env.user_id},
    )
    if request is None:
        raise env.Error("Your club has no programming request " + str(programming_request_id) + ".")
    return request


def accept_quote(env, *, programming_request_id: int) -> dict:
    """Accepts a quote that still stands, which starts the loan."""
    request = _accept_quote_request(env, programming_request_id)
    if request["treasurer_account_id"] != env.user_id:
        raise env.Error("Only the treasurer of the club may accept a quote.")
    _buy_tickets_blocked(env)
    if request["status"] != "quoted":
        raise env.Error("There is no open quote for that request; it is " + request["status"] + ".")
    if request["quote_valid_until"] < env.now:
        raise env.Error("That quote stood until " + request["quote_valid_until"].replace("T", " ")[:16] + ".")
    if request["quoted_start_at"] <= env.now:
        raise env.Error("The evening of that quote has passed.")
    club = _get_club_quota_club(env, request["club_id"])
    _get_club_quota_refuse(env, club, request["quoted_start_at"], request["carrier"], programming_request_id)
    hall = env.one("SELECT id, name, has_35mm FROM halls WHERE id = ?", [request["quoted_hall_id"]])
    if request["carrier"] == "35mm" and not hall["has_35mm"]:
        raise env.Error("print_can_be_run: 35 mm can only be run in Zaal 1.")
    title = env.one("SELECT minutes FROM titles WHERE id = ?", [request["title_id"]])
    start = datetime.fromisoformat(request["quoted_start_at"])
    if _search_hall_blocks_taken(env, hall["id"], request["quoted_start_at"], (start + timedelta(minutes=title["minutes"])).isoformat()) is not None:
        raise env.Error(hall["name"] + " has been taken for that evening in the meantime.")
    env.execute("UPDATE programming_requests SET status = 'accepted', closed_at = ? WHERE id = ?", [env.now, programming_request_id])
    loan_id = env.insert(
        "INSERT INTO loan_agreements (copy_id, club_id, programming_request_id, showings_allowed, showings_used, fee_cents, arrive_by, leave_by, status) VALUES (?, ?, ?, 1, 0, ?, ?, ?, 'requested')",
        [request["quoted_copy_id"], request["club_id"], programming_request_id, request["quote_loan_fee_cents"],
         (start.date() - timedelta(days=7)).isoformat(), (start.date() + timedelta(days=7)).isoformat()],
    )
    screening_id = None
    if request["carrier"] == "DCP":
        screening_id = env.insert(
            "INSERT INTO screenings (copy_id, hall_id, starts_at, kind, club_id, loan_agreement_id, is_preview, seats_held, status) VALUES (?, ?, ?, 'club', ?, ?, 0, 0, 'scheduled')",
            [request["quoted_copy_id"], hall["id"], request["quoted_start_at"], request["club_id"], loan_id],
        )
    total = request["quote_hall_cents"] + request["quote_loan_fee_cents"] + request["quote_35mm_cents"]
    return {"programming_request_id": programming_request_id, "status": "accepted", "total_cents": total, "loan_agreement_id": loan_id, "screening_id": screening_id}
