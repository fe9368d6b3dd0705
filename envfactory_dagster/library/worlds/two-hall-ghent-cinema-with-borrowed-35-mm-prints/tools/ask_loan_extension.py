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


def _search_hall_blocks_day(text):
    """A day given by the caller, or None if it is none."""
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        return None


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


def ask_loan_extension(env, *, loan_agreement_id: int, extension_kind: str, extension_leave_by: str | None = None) -> dict:
    """Asks the lender for one more showing or a later return."""
    loan = _plan_club_showing_loan(env, loan_agreement_id)
    if loan["status"] != "signed":
        raise env.Error("Only a signed loan can be extended; this one is " + loan["status"] + ".")
    if loan["extension_status"] == "asked":
        raise env.Error("The lender has not answered the last question about this loan yet.")
    deadline = _submit_programming_request_deadline(loan["leave_by"], 5)
    if env.now > deadline:
        raise env.Error("The lender must be asked at least 5 working days before the print leaves; that was until " + deadline.replace("T", " ")[:16] + ".")
    leave_by = None
    if extension_kind == "later_return":
        leave_by = None if extension_leave_by is None else _search_hall_blocks_day(extension_leave_by)
        if leave_by is None:
            raise env.Error("For a later return, say by which day the print would leave.")
        if leave_by <= loan["leave_by"]:
            raise env.Error("The new day must be later than " + loan["leave_by"] + ".")
    elif extension_leave_by is not None:
        raise env.Error("An extra showing has no new day to leave by; ask for a later return for that.")
    env.execute(
        "UPDATE loan_agreements SET extension_kind = ?, extension_leave_by = ?, extension_asked_at = ?, extension_status = 'asked' WHERE id = ?",
        [extension_kind, leave_by, env.now, loan_agreement_id],
    )
    return {"loan_agreement_id": loan_agreement_id, "extension_kind": extension_kind, "extension_leave_by": leave_by, "extension_status": "asked"}
