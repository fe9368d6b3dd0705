from datetime import date, timedelta


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


def list_my_loan_agreements(env, *, club_id: int | None = None) -> dict:
    """Lists the loan agreements of the user's clubs."""
    if club_id is not None:
        _get_club_quota_club(env, club_id)
    rows = env.query(
        """
        SELECT l.id, l.club_id, l.copy_id, t.name AS title_name, c.carrier, c.lender, l.showings_allowed, l.showings_used,
               (SELECT COUNT(*) FROM screenings s WHERE s.loan_agreement_id = l.id AND s.status = 'scheduled') AS showings_scheduled,
               l.fee_cents, l.arrive_by, l.leave_by, l.status, m.scanned_in_at, m.inspected_at, m.verdict,
               l.extension_kind, l.extension_leave_by, l.extension_status
        FROM loan_agreements l JOIN clubs b ON b.id = l.club_id AND (b.treasurer_account_id = :user OR b.second_contact_account_id = :user)
        JOIN copies c ON c.id = l.copy_id JOIN titles t ON t.id = c.title_id
        LEFT JOIN print_movements m ON m.loan_agreement_id = l.id AND m.direction = 'in'
        WHERE (:club_id IS NULL OR l.club_id = :club_id)
        ORDER BY l.leave_by DESC, l.id
        """,
        {"user": env.user_id, "club_id": club_id},
    )
    for row in rows:
        row["showings_left"] = max(0, row["showings_allowed"] - row["showings_used"] - row["showings_scheduled"])
        row["last_courier_on"] = _list_my_loan_agreements_last_courier(row["leave_by"])
        row["extension_deadline_at"] = _submit_programming_request_deadline(row["leave_by"], 5)
    return {"loan_agreements": rows}
