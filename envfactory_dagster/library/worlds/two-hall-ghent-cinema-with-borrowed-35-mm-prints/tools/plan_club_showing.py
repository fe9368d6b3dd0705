from datetime import date, datetime, timedelta


SUBMIT_PROGRAMMING_REQUEST_HOLIDAYS = (
    "2024-01-01", "2024-04-01", "2024-05-01", "2024-05-09", "2024-05-20", "2024-07-21", "2024-08-15", "2024-11-01", "2024-11-11", "2024-12-25",
    "2025-01-01", "2025-04-21", "2025-05-01", "2025-05-29", "2025-06-09", "2025-07-21", "2025-08-15", "2025-11-01", "2025-11-11", "2025-12-25",
    "2026-01-01", "2026-04-06", "2026-05-01", "2026-05-14", "2026-05-25", "2026-07-21", "2026-08-15", "2026-11-01", "2026-11-11", "2026-12-25",
    "2027-01-01", "2027-03-29", "2027-05-01", "2027-05-06", "2027-05-17", "2027-07-21", "2027-08-15", "2027-11-01", "2027-11-11", "2027-12-25",
)


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


def _list_my_loan_agreements_last_courier(leave_by):
    """The last courier day on or before a day: Tuesday and Friday, a holiday's Tuesday on Wednesday and its Friday on Thursday."""
    day = date.fromisoformat(leave_by[:10])
    while True:
        free = day.isoformat() not in SUBMIT_PROGRAMMING_REQUEST_HOLIDAYS
        before = (day - timedelta(days=1)).isoformat() in SUBMIT_PROGRAMMING_REQUEST_HOLIDAYS
        after = (day + timedelta(days=1)).isoformat() in SUBMIT_PROGRAMMING_REQUEST_HOLIDAYS
        if (day.weekday() in (1, 4) and free) or (day.weekday() == 2 and before) or (day.weekday() == 3 and after):
            return day.isoformat()
        day -= timedelta(days=1)


def _plan_club_showing_loan(env, loan_agreement_id):
    """A loan of a club the user is a contact of, with its copy, title, incoming print and showings."""
    loan = env.one(
        """
        SELECT l.id, l.club_id, l.copy_id, l.programming_request_id, l.showings_allowed, l.showings_used, l.leave_by, l.status,
               l.extension_status, c.carrier, c.key_from, c.key_until, t.minutes, t.name AS title_name,
               m.scanned_in_at, m.inspected_at, m.verdict,
               (SELECT COUNT(*) FROM screenings s WHERE s.loan_agreement_id = l.id AND s.status = 'scheduled') AS showings_scheduled
        FROM loan_agreements l JOIN copies c ON c.id = l.copy_id JOIN titles t ON t.id = c.title_id
        JOIN clubs b ON b.id = l.club_id AND (b.treasurer_account_id = :user OR b.second_contact_account_id = :user)
        LEFT JOIN print_movements m ON m.loan_agreement_id = l.id AND m.direction = 'in'
        WHERE l.id = :id
        """,
        {"id": loan_agreement_id, "user": env.user_id},
    )
    if loan is None:
        raise env.Error("Your club has no loan agreement " + str(loan_agreement_id) + ".")
    return loan


def _plan_club_showing_slot(env, starts_at, minutes):
    """The rota slot of a certified projectionist who is free around a 35 mm showing, or None."""
    start = datetime.fromisoformat(starts_at)
    return env.one(
        """
        SELECT r.id FROM rota_slots r
        WHERE r.available = 1 AND r.certified_35mm = 1 AND r.starts_at <= :from_ AND r.ends_at >= :until
          AND (SELECT COUNT(*) FROM screenings s JOIN rota_slots o ON o.id = s.rota_slot_id
               WHERE o.projectionist = r.projectionist AND s.status <> 'cancelled' AND substr(s.starts_at, 1, 10) = :day) < 2
          AND NOT EXISTS (SELECT 1 FROM screenings s JOIN rota_slots o ON o.id = s.rota_slot_id JOIN copies c ON c.id = s.copy_id JOIN titles t ON t.id = c.title_id
               WHERE o.projectionist = r.projectionist AND s.status <> 'cancelled'
                 AND strftime('%Y-%m-%dT%H:%M:%S', s.starts_at, '-30 minutes') < :until
                 AND strftime('%Y-%m-%dT%H:%M:%S', s.starts_at, '+' || (t.minutes + 20) || ' minutes') > :from_)
        ORDER BY r.starts_at, r.id LIMIT 1
        """,
        {"from_": (start - timedelta(minutes=30)).isoformat(), "until": (start + timedelta(minutes=minutes + 20)).isoformat(), "day": starts_at[:10]},
    )


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


def _plan_club_showing_problem(env, loan, hall, starts_at):
    """The reason why a loan's copy cannot be shown in a hall at a moment, or None."""
    start = datetime.fromisoformat(starts_at)
    if starts_at <= env.now:
        return "That moment has passed."
    if loan["showings_used"] + loan["showings_scheduled"] >= loan["showings_allowed"]:
        rule = "print_can_be_run: " if loan["carrier"] == "35mm" else ""
        return rule + "all " + str(loan["showings_allowed"]) + " showings that the loan of " + loan["title_name"] + " allows are used or scheduled; the lender can be asked for an extra one until " + _submit_programming_request_deadline(loan["leave_by"], 5).replace("T", " ")[:16] + "."
    if loan["carrier"] == "35mm":
        if not hall["has_35mm"]:
            return "print_can_be_run: 35 mm can only be run in Zaal 1."
        if loan["scanned_in_at"] is None:
            return "print_can_be_run: the print has not been scanned in yet."
        rest = 36 if starts_at[5:7] in ("12", "01", "02") else 24
        rested = (datetime.fromisoformat(loan["scanned_in_at"]) + timedelta(hours=rest)).isoformat()
        if starts_at < rested:
            return "print_can_be_run: the print has to rest " + str(rest) + " hours, until " + rested.replace("T", " ")[:16] + "."
        if loan["verdict"] != "passed":
            return "print_can_be_run: the print has not passed its inspection."
        if starts_at < loan["inspected_at"]:
            return "print_can_be_run: the print is only inspected at " + loan["inspected_at"].replace("T", " ")[:16] + "."
        courier = _list_my_loan_agreements_last_courier(loan["leave_by"])
        if starts_at[:10] >= courier:
            return "print_can_be_run: the print leaves with the courier of " + courier + ", so the last day for a showing is the one before."
        if _plan_club_showing_slot(env, starts_at, loan["minutes"]) is None:
            return "print_can_be_run: no certified projectionist is possible from 30 minutes before until 20 minutes after that showing."
    else:
        if loan["key_from"] is not None and not loan["key_from"] <= starts_at <= loan["key_until"]:
            return "The key of that DCP opens it only from " + loan["key_from"][:10] + " to " + loan["key_until"][:10] + "."
        if starts_at[:10] > loan["leave_by"]:
            return "The copy has to leave by " + loan["leave_by"] + "."
    if _search_hall_blocks_taken(env, hall["id"], starts_at, (start + timedelta(minutes=loan["minutes"])).isoformat()) is not None:
        return hall["name"] + " is taken at that time."
    return None


def plan_club_showing(env, *, loan_agreement_id: int, hall_id: int, starts_at: str) -> dict:
    """Plans a further showing of a copy on loan to the user's club; as long as the lender has not signed the loan of a DCP, one showing more is asked for with it."""
    loan = _plan_club_showing_loan(env, loan_agreement_id)
    hall = env.one("SELECT id, name, has_35mm FROM halls WHERE id = ?", [hall_id])
    if hall is None:
        raise env.Error("There is no hall " + str(hall_id) + ".")
    _buy_tickets_blocked(env)
    moment = _plan_club_showing_moment(starts_at)
    if moment is None:
        raise env.Error("The start is no moment.")
    if loan["status"] not in ("requested", "signed") or (loan["status"] == "requested" and loan["carrier"] == "35mm"):
        raise env.Error("That loan is not signed and running; it is " + loan["status"] + ".")
    more = 0
    if loan["status"] == "requested" and loan["showings_used"] + loan["showings_scheduled"] >= loan["showings_allowed"]:
        more = 1
        loan["showings_allowed"] += 1
    problem = _plan_club_showing_problem(env, loan, hall, moment)
    if problem is not None:
        raise env.Error(problem)
    club = _get_club_quota_club(env, loan["club_id"])
    shown = env.one("SELECT COUNT(*) AS n FROM screenings WHERE loan_agreement_id = ?", [loan_agreement_id])
    own_request = loan["programming_request_id"] if shown["n"] == 0 and loan["programming_request_id"] is not None else 0
    _get_club_quota_refuse(env, club, moment, loan["carrier"], own_request)
    if more == 1:
        env.execute("UPDATE loan_agreements SET showings_allowed = showings_allowed + 1 WHERE id = ?", [loan_agreement_id])
    slot = _plan_club_showing_slot(env, moment, loan["minutes"]) if loan["carrier"] == "35mm" else None
    screening_id = env.insert(
        "INSERT INTO screenings (copy_id, hall_id, starts_at, kind, club_id, loan_agreement_id, rota_slot_id, is_preview, seats_held, status) VALUES (?, ?, ?, 'club', ?, ?, ?, 0, 0, 'scheduled')",
        [loan["copy_id"], hall_id, moment, loan["club_id"], loan_agreement_id, None if slot is None else slot["id"]],
    )
    left = loan["showings_allowed"] - loan["showings_used"] - loan["showings_scheduled"] - 1
    return {"screening_id": screening_id, "starts_at": moment, "hall_name": hall["name"], "showings_left": left}
