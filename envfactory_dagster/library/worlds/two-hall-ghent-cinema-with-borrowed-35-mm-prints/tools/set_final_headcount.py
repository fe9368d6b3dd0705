import math
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


def _get_screening_row(env, screening_id):
    """A screening with its title, hall and the seats left, if it is scheduled and the user may see it."""
    return env.one(
        """
        SELECT s.id, c.title_id, t.name AS title_name, t.kijkwijzer_age, t.minutes, s.hall_id, h.name AS hall_name,
               c.carrier, c.subtitles, s.starts_at, s.kind, s.is_preview, s.sale_opens_at,
               h.seats - s.seats_held
               - (SELECT COUNT(*) FROM tickets k WHERE k.screening_id = s.id AND k.status <> 'returned')
               - (SELECT COALESCE(SUM(COALESCE(b.pupils_final, b.pupils_announced) + b.teachers), 0) FROM school_bookings b
                  WHERE b.screening_id = s.id AND (b.status = 'confirmed' OR (b.status = 'option' AND b.option_until >= :now)))
               - (SELECT COALESCE(SUM(w.seats_offered), 0) FROM waiting_list_entries w
                  WHERE w.screening_id = s.id AND w.status = 'offered' AND w.offer_lapses_at >= :now) AS seats_left
        FROM screenings s JOIN copies c ON c.id = s.copy_id JOIN titles t ON t.id = c.title_id JOIN halls h ON h.id = s.hall_id
        WHERE s.id = :id AND s.status = 'scheduled' AND s.starts_at > :now
          AND (s.kind = 'public'
               OR (s.kind = 'club' AND (s.sale_opens_at <= :now OR EXISTS (SELECT 1 FROM clubs b WHERE b.id = s.club_id
                   AND (b.treasurer_account_id = :user OR b.second_contact_account_id = :user))))
               OR (s.kind = 'school' AND EXISTS (SELECT 1 FROM schools o WHERE o.contact_account_id = :user)))
        """,
        {"id": screening_id, "now": env.now, "user": env.user_id},
    )


def _list_my_school_bookings_floor(announced):
    return max(40, (announced * 9 + 9) // 10)


def _confirm_school_booking_row(env, school_booking_id):
    """A booking of the user's school."""
    booking = env.one(
        """
        SELECT b.id, b.school_id, b.screening_id, b.pupils_announced, b.pupils_final, b.teachers, b.youngest_age, b.preview_confirmed, b.option_until, b.status,
               s.starts_at, s.status AS screening_status, t.kijkwijzer_age, t.name AS title_name
        FROM school_bookings b JOIN schools o ON o.id = b.school_id JOIN screenings s ON s.id = b.screening_id
        JOIN copies c ON c.id = s.copy_id JOIN titles t ON t.id = c.title_id
        WHERE b.id = ? AND o.contact_account_id = ?
        """,
        [school_booking_id, env.user_id],
    )
    if booking is None:
        raise env.Error("Your school has no booking " + str(school_booking_id) + ".")
    return booking


def set_final_headcount(env, *, school_booking_id: int, pupils_final: int) -> dict:
    """Sets the final number of pupils of a confirmed school booking."""
    booking = _confirm_school_booking_row(env, school_booking_id)
    if booking["status"] != "confirmed":
        raise env.Error("School booking " + str(school_booking_id) + " is not a confirmed one; it is " + booking["status"] + ".")
    deadline = _submit_programming_request_deadline(booking["starts_at"], 5)
    if env.now > deadline:
        raise env.Error("The final number was due by " + deadline.replace("T", " ")[:16] + ", 5 working days before.")
    row = _get_screening_row(env, booking["screening_id"])
    if row is None:
        raise env.Error("That screening does not take place.")
    before = booking["pupils_announced"] if booking["pupils_final"] is None else booking["pupils_final"]
    if pupils_final - before > max(0, row["seats_left"]):
        raise env.Error("Only " + str(max(0, row["seats_left"])) + " more seats are left at this screening.")
    env.execute("UPDATE school_bookings SET pupils_final = ? WHERE id = ?", [pupils_final, school_booking_id])
    charged = max(pupils_final, _list_my_school_bookings_floor(booking["pupils_announced"]))
    free = math.ceil(pupils_final / 15)
    amount = charged * 500 + max(0, booking["teachers"] - free) * 500
    return {"school_booking_id": school_booking_id, "pupils_final": pupils_final, "charged_pupils": charged, "free_teachers": min(free, booking["teachers"]), "amount_cents": amount}
