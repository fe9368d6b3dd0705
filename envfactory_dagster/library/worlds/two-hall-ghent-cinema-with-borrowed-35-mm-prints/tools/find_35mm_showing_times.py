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


def _search_hall_blocks_day(text):
    """A day given by the caller, or None if it is none."""
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        return None


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


def find_35mm_showing_times(env, *, loan_agreement_id: int, first_day: str, last_day: str) -> dict:
    """Lists the starts at which the 35 mm print of a club's loan can be run."""
    loan = _plan_club_showing_loan(env, loan_agreement_id)
    if loan["carrier"] != "35mm":
        raise env.Error("That loan is of a DCP, not of a 35 mm print.")
    if loan["status"] != "signed":
        raise env.Error("That loan is not running; it is " + loan["status"] + ".")
    first = _search_hall_blocks_day(first_day)
    last = _search_hall_blocks_day(last_day)
    if first is None or last is None or last < first:
        raise env.Error("Give a first and a last day, the last not before the first.")
    if (date.fromisoformat(last) - date.fromisoformat(first)).days > 31:
        raise env.Error("The last day may be at most 31 days after the first.")
    left = max(0, loan["showings_allowed"] - loan["showings_used"] - loan["showings_scheduled"])
    open_loan = {**loan, "showings_used": 0, "showings_scheduled": 0}
    halls = env.query("SELECT id, name, has_35mm FROM halls WHERE has_35mm = 1 ORDER BY id", [])
    starts = []
    at = datetime.fromisoformat(first + "T09:00:00")
    while at.date().isoformat() <= last:
        if at.hour >= 9:
            if any(_plan_club_showing_problem(env, open_loan, hall, at.isoformat()) is None for hall in halls):
                starts.append(at.isoformat())
        at += timedelta(minutes=30)
    return {"showings_left": left, "possible_starts": starts}
