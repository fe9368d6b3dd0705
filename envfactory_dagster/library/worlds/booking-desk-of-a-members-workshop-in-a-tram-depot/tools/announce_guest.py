from datetime import date, datetime


def _list_calendar_days_show(env, day):
    """What the workshop is on a day: open or closed, its hours, dust or spark."""
    weekday = date.fromisoformat(day).weekday()
    closing = env.one("SELECT reason FROM closing_days WHERE day = ?", [day])
    swap = env.one("SELECT becomes FROM day_swaps WHERE day = ?", [day])
    if closing is not None or weekday == 0:
        reason = closing["reason"] if closing is not None else "Monday is maintenance"
        return {"day": day, "is_open": False, "closed_reason": reason, "opens_at": None,
                "closes_at": None, "day_kind": None, "swapped": False}
    usual = "dust" if weekday in (1, 3, 5) else "spark"
    opens, closes = ("10:00:00", "17:00:00") if weekday == 6 else ("09:00:00", "22:00:00")
    return {"day": day, "is_open": True, "closed_reason": None, "opens_at": day + "T" + opens,
            "closes_at": day + "T" + closes, "day_kind": usual if swap is None else swap["becomes"],
            "swapped": swap is not None}


def _get_membership_row(env):
    row = env.one(
        """SELECT m.id, m.number, m.membership_type_id, t.name AS type_name, t.monthly_fee_cents,
                  t.monthly_credit_cents, m.started_on
           FROM membership_members mm JOIN memberships m ON m.id = mm.membership_id
           JOIN membership_types t ON t.id = m.membership_type_id WHERE mm.member_id = ?""",
        [env.user_id])
    if row is None:
        raise env.Error("you have no membership")
    return row


def _list_guest_visits_show(env, guest_visit_id):
    return env.one(
        """SELECT id AS guest_visit_id, booking_id, guest_name, guest_age, carrying_only, starts_at,
                  ends_at, price_cents, status, announced_at, cancelled_at
           FROM guest_visits WHERE id = ? AND member_id = ?""", [guest_visit_id, env.user_id])


def announce_guest(env, *, guest_name: str, guest_age: int, starts_at: str, ends_at: str, booking_id: int = None,
                   carrying_only: int = 0) -> dict:
    """Announces a guest of the user."""
    if not guest_name.strip():
        raise env.Error("say who the guest is")
    if guest_age < 16:
        raise env.Error("guests are 16 or older")
    try:
        if len(starts_at) != 19 or len(ends_at) != 19:
            raise ValueError(starts_at)
        start, end = datetime.fromisoformat(starts_at), datetime.fromisoformat(ends_at)
    except ValueError:
        raise env.Error("write moments as 2026-05-07T18:00:00")
    if start.date() != end.date() or end <= start:
        raise env.Error("a visit ends later on the day it starts")
    if starts_at <= env.now:
        raise env.Error("that visit would have begun already")
    day = starts_at[:10]
    shown = _list_calendar_days_show(env, day)
    if not shown["is_open"]:
        raise env.Error("the workshop is closed on " + day + ": " + shown["closed_reason"])
    if starts_at < shown["opens_at"] or ends_at > shown["closes_at"]:
        raise env.Error("the visit lies outside the opening hours of that day")
    if start.weekday() == 5 and starts_at[11:] < "13:00:00" and not carrying_only:
        raise env.Error("no guests on Saturday before 13:00, unless they only carry")
    if booking_id is None:
        if not carrying_only:
            raise env.Error("a guest comes along to a booking of yours, unless the guest only carries")
    else:
        booking = env.one(
            """SELECT b.starts_at, b.ends_at, b.status, s.code, s.is_red FROM bookings b
               JOIN stations s ON s.id = b.station_id WHERE b.id = ? AND b.member_id = ?""",
            [booking_id, env.user_id])
        if booking is None:
            raise env.Error("you have no booking with the id " + str(booking_id))
        if booking["status"] not in ("provisional", "confirmed"):
            raise env.Error("that booking is " + booking["status"])
        if booking["is_red"]:
            raise env.Error(booking["code"] + " is a red machine, where no guests may be")
        if starts_at < booking["starts_at"] or ends_at > booking["ends_at"]:
            raise env.Error("the visit must lie within the booking")
    if env.one("""SELECT id FROM guest_visits WHERE member_id = ? AND status IN ('announced', 'visited')
                  AND starts_at < ? AND ends_at > ? LIMIT 1""", [env.user_id, ends_at, starts_at]) is not None:
        raise env.Error("you may bring one guest at a time")
    membership = _get_membership_row(env)
    studio = membership["type_name"] == "Studio"
    count = env.one(
        """SELECT COUNT(*) AS n FROM guest_visits g JOIN membership_members mm ON mm.member_id = g.member_id
           WHERE g.status IN ('announced', 'visited') AND substr(g.starts_at, 1, 7) = :month
             AND mm.membership_id = :ms AND (:studio = 1 OR g.member_id = :me)""",
        {"month": day[:7], "ms": membership["id"], "studio": 1 if studio else 0, "me": env.user_id})
    most = 4 if studio else 2
    if count["n"] >= most:
        raise env.Error("you may have " + str(most) + " guest visits in a calendar month")
    visit_id = env.insert(
        """INSERT INTO guest_visits (member_id, booking_id, guest_name, guest_age, carrying_only, starts_at,
               ends_at, price_cents, status, announced_at) VALUES (?, ?, ?, ?, ?, ?, ?, 750, 'announced', ?)""",
        [env.user_id, booking_id, guest_name, guest_age, carrying_only, starts_at, ends_at, env.now])
    return {"guest_visit": _list_guest_visits_show(env, visit_id)}
