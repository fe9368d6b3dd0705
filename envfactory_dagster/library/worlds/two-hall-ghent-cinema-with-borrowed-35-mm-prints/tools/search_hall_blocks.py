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


def _search_hall_blocks_day(text):
    """A day given by the caller, or None if it is none."""
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        return None


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


def search_hall_blocks(env, *, first_day: str, last_day: str, hall_id: int | None = None, weekday: int | None = None) -> dict:
    """Lists the free blocks that can be hired between two days."""
    first = _search_hall_blocks_day(first_day)
    last = _search_hall_blocks_day(last_day)
    if first is None or last is None or last < first:
        raise env.Error("Give a first and a last day, the last not before the first.")
    if (date.fromisoformat(last) - date.fromisoformat(first)).days > 62:
        raise env.Error("The last day may be at most 62 days after the first.")
    halls = env.query("SELECT id, name, seats, block_price_cents FROM halls WHERE :hall_id IS NULL OR id = :hall_id ORDER BY id", {"hall_id": hall_id})
    if not halls:
        raise env.Error("There is no hall " + str(hall_id) + ".")
    blocks = []
    day = date.fromisoformat(first)
    while day.isoformat() <= last:
        if weekday is None or day.isoweekday() == weekday:
            for clock in SEARCH_HALL_BLOCKS_STARTS:
                starts_at = day.isoformat() + "T" + clock
                for hall in halls:
                    if _search_hall_blocks_problem(env, hall, starts_at) is None:
                        blocks.append({
                            "hall_id": hall["id"], "hall_name": hall["name"], "seats": hall["seats"], "starts_at": starts_at,
                            "ends_at": (datetime.fromisoformat(starts_at) + timedelta(hours=4)).isoformat(),
                            "hall_cents": _search_hall_blocks_price(hall, starts_at),
                        })
        day += timedelta(days=1)
    return {"blocks": blocks}
