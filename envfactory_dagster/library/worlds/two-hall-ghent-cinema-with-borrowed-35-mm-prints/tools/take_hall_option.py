from datetime import date, datetime, timedelta


SUBMIT_PROGRAMMING_REQUEST_HOLIDAYS = (
    "2024-01-01", "2024-04-01", "2024-05-01", "2024-05-09", "2024-05-20", "2024-07-21", "2024-08-15", "2024-11-01", "2024-11-11", "2024-12-25",
    "2025-01-01", "2025-04-21", "2025-05-01", "2025-05-29", "2025-06-09", "2025-07-21", "2025-08-15", "2025-11-01", "2025-11-11", "2025-12-25",
    "2026-01-01", "2026-04-06", "2026-05-01", "2026-05-14", "2026-05-25", "2026-07-21", "2026-08-15", "2026-11-01", "2026-11-11", "2026-12-25",
    "2027-01-01", "2027-03-29", "2027-05-01", "2027-05-06", "2027-05-17", "2027-07-21", "2027-08-15", "2027-11-01", "2027-11-11", "2027-12-25",
)


SEARCH_HALL_BLOCKS_FEASTS = (("2025-07-18", "2025-07-27"), ("2026-07-17", "2026-07-26"), ("2027-07-16", "2027-07-25"))


SEARCH_HALL_BLOCKS_STARTS = ("10:00:00", "14:00:00", "18:00:00")


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


def _search_hall_blocks_problem(env, hall, starts_at):
    """The reason why a block of a hall cannot be hired, or None."""
    start = datetime.fromisoformat(starts_at)
    if starts_at[11:19] not in SEARCH_HALL_BLOCKS_STARTS:
        return "A block of 4 hours begins at 10:00, 14:00 or 18:00."
    if env.now > _submit_programming_request_deadline(starts_at, 10):
        return "A hall can only be taken until 10 working days before, 17:00; for that day it was " + _submit_programming_request_deadline(starts_at, 10)[:10] + "."
    if start.weekday() in (4, 5) and starts_at[11:19] == "18:00:00":
        return "A hall is not hired out on Fridays and Saturdays after 18:00."
    if "10-08" <= starts_at[5:10] <= "10-19":
        return "From 8 to 19 October the halls belong to the festival."
    if any(first <= starts_at[:10] <= last for first, last in SEARCH_HALL_BLOCKS_FEASTS):
        return "The halls are not hired out during the Gentse Feesten."
    if _search_hall_blocks_taken(env, hall["id"], starts_at, (start + timedelta(hours=4)).isoformat()) is not None:
        return hall["name"] + " is taken in that block."
    return None


def _search_hall_blocks_price(hall, starts_at):
    day = date.fromisoformat(starts_at[:10])
    price = hall["block_price_cents"]
    if day.weekday() == 6 or day.isoformat() in SUBMIT_PROGRAMMING_REQUEST_HOLIDAYS:
        price = price * 5 // 4
    return price


def take_hall_option(env, *, hall_id: int, starts_at: str, purpose: str, guests: int, youngest_age: int | None = None, copy_id: int | None = None, club_id: int | None = None) -> dict:
    """Takes an option of 7 days on a free block of a hall."""
    hall = env.one("SELECT id, name, seats, block_price_cents FROM halls WHERE id = ?", [hall_id])
    if hall is None:
        raise env.Error("There is no hall " + str(hall_id) + ".")
    _buy_tickets_blocked(env)
    club = None
    if club_id is not None:
        club = _get_club_quota_club(env, club_id)
        if club["treasurer_account_id"] != env.user_id:
            raise env.Error("Only the treasurer may hire a hall for the club.")
    moment = _plan_club_showing_moment(starts_at)
    if moment is None:
        raise env.Error("The start is no moment.")
    if guests > hall["seats"]:
        raise env.Error(hall["name"] + " has " + str(hall["seats"]) + " seats.")
    ends_at = (datetime.fromisoformat(moment) + timedelta(hours=4)).isoformat()
    problem = _search_hall_blocks_problem(env, hall, moment)
    if problem is not None:
        raise env.Error(problem)
    stale = env.one(
        "SELECT h.id FROM halls h WHERE h.id = ? AND EXISTS (SELECT 1 FROM hall_bookings b WHERE b.hall_id = h.id AND b.starts_at = ? AND b.status = 'option')",
        [hall_id, moment],
    )
    if stale is not None:
        raise env.Error("An option on that block has lapsed, but the office has not released it yet.")
    taken = env.one(
        "SELECT id FROM hall_bookings WHERE account_id = :user AND club_id IS :club AND substr(optioned_at, 1, 7) = :month ORDER BY id LIMIT 1",
        {"user": env.user_id, "club": club_id, "month": env.now[:7]},
    )
    if taken is not None:
        raise env.Error("It is one option per calendar month, and this month's has been taken; the next is possible from the first of next month.")
    licence = 0
    if copy_id is not None:
        copy = env.one("SELECT c.carrier, c.key_from, c.key_until, t.kijkwijzer_age FROM copies c JOIN titles t ON t.id = c.title_id WHERE c.id = ?", [copy_id])
        if copy is None:
            raise env.Error("There is no copy " + str(copy_id) + ".")
        if copy["carrier"] != "DCP":
            raise env.Error("A hired hall gets its film on DCP.")
        if copy["key_from"] is not None and not (copy["key_from"] <= moment and ends_at <= copy["key_until"]):
            raise env.Error("The key of that film opens it only from " + copy["key_from"][:10] + " to " + copy["key_until"][:10] + ".")
        if youngest_age is None:
            raise env.Error("With a film, the age of the youngest guest must be known.")
        rating = 12 if copy["kijkwijzer_age"] is None else copy["kijkwijzer_age"]
        if youngest_age < rating:
            raise env.Error("house_age_limit: the film counts as " + str(rating) + ", and the youngest guest is " + str(youngest_age) + ".")
        licence = 15000
    hall_cents = _search_hall_blocks_price(hall, moment)
    if club is not None:
        hall_cents = hall_cents * 3 // 4
    total = hall_cents + licence
    deposit = total * 3 // 10
    option_until = (datetime.fromisoformat(env.now) + timedelta(days=7)).isoformat()
    booking_id = env.insert(
        "INSERT INTO hall_bookings (account_id, club_id, hall_id, starts_at, ends_at, purpose, copy_id, guests, youngest_age, hall_cents, licence_cents, projection_35mm_cents, deposit_cents, optioned_at, option_until, status) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?, 'option')",
        [env.user_id, club_id, hall_id, moment, ends_at, purpose, copy_id, guests, youngest_age, hall_cents, licence, deposit, env.now, option_until],
    )
    return {"hall_booking_id": booking_id, "status": "option", "hall_cents": hall_cents, "licence_cents": licence, "total_cents": total, "deposit_cents": deposit, "option_until": option_until}
