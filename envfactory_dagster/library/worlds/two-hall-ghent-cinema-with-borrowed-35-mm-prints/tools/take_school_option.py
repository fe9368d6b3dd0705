from datetime import datetime, timedelta


CONFIRM_SCHOOL_BOOKING_STEPS = (0, 6, 9, 12, 14, 16, 18)


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


def _buy_tickets_blocked(env):
    account = env.one("SELECT block_reason, kansentarief FROM accounts WHERE id = ?", [env.user_id])
    if account["block_reason"] is not None:
        raise env.Error("Your account is blocked, so you can only look things up and return tickets: " + account["block_reason"] + ".")
    return account


def _confirm_school_booking_steps(kijkwijzer_age, youngest_age):
    """How many rating steps a film lies above the youngest pupil; an unrated film counts as 12."""
    film = 12 if kijkwijzer_age is None else kijkwijzer_age
    reached = max([s for s in CONFIRM_SCHOOL_BOOKING_STEPS if s <= youngest_age])
    return max(0, CONFIRM_SCHOOL_BOOKING_STEPS.index(film) - CONFIRM_SCHOOL_BOOKING_STEPS.index(reached))


def take_school_option(env, *, screening_id: int, pupils_announced: int, teachers: int, youngest_age: int) -> dict:
    """Takes an option of 7 days on a school screening for the user's school."""
    school = env.one("SELECT id, name FROM schools WHERE contact_account_id = ?", [env.user_id])
    if school is None:
        raise env.Error("You are not the contact of a school.")
    row = _get_screening_row(env, screening_id)
    if row is None or row["kind"] != "school":
        raise env.Error("There is no coming school screening " + str(screening_id) + ".")
    _buy_tickets_blocked(env)
    steps = _confirm_school_booking_steps(row["kijkwijzer_age"], youngest_age)
    if steps > 1:
        raise env.Error("house_age_limit: the film lies more than one rating step above the youngest pupil, who is " + str(youngest_age) + ".")
    own = env.query(
        """
        SELECT b.id, b.screening_id, b.status, b.option_until, substr(s.starts_at, 1, 7) AS month FROM school_bookings b JOIN screenings s ON s.id = b.screening_id
        WHERE b.school_id = ? AND b.status IN ('option', 'confirmed') ORDER BY b.id
        """,
        [school["id"]],
    )
    running = [b for b in own if b["status"] == "confirmed" or b["option_until"] >= env.now]
    if any(b["screening_id"] == screening_id for b in running):
        raise env.Error(school["name"] + " has places at this screening already.")
    if len([b for b in running if b["month"] == row["starts_at"][:7]]) >= 2:
        raise env.Error("It is at most two school screenings a month, and " + school["name"] + " has two in " + row["starts_at"][:7] + ".")
    if pupils_announced + teachers > row["seats_left"]:
        raise env.Error("Only " + str(max(0, row["seats_left"])) + " seats are left at this screening.")
    for old in own:
        if old["screening_id"] == screening_id:
            env.execute("UPDATE school_bookings SET status = 'lapsed' WHERE id = ?", [old["id"]])
    option_until = (datetime.fromisoformat(env.now) + timedelta(days=7)).isoformat()
    booking_id = env.insert(
        "INSERT INTO school_bookings (school_id, screening_id, pupils_announced, teachers, youngest_age, preview_confirmed, optioned_at, option_until, status) VALUES (?, ?, ?, ?, ?, 0, ?, ?, 'option')",
        [school["id"], screening_id, pupils_announced, teachers, youngest_age, env.now, option_until],
    )
    return {"school_booking_id": booking_id, "status": "option", "option_until": option_until, "preview_needed": steps == 1}
