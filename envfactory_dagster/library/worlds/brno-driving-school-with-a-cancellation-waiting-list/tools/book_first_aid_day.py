import datetime

BOOK_FIRST_AID_DAY_REPEAT_CENTS = 40000


def _list_charges_due_in_14_days(env):
    """The day on which a fee of today is due."""
    return (datetime.date.fromisoformat(env.now[:10]) + datetime.timedelta(days=14)).isoformat()


def book_first_aid_day(env, *, first_aid_day_id: int) -> dict:
    """Signs the pupil up for a first aid Saturday."""
    day = env.one("SELECT * FROM first_aid_days WHERE id = ?", [first_aid_day_id])
    if day is None:
        raise env.Error(f"there is no first aid day {first_aid_day_id}")
    if day["status"] != "planned" or day["calendar_day"] <= env.now[:10]:
        raise env.Error("this first aid day is over or does not take place")
    if env.one("SELECT id FROM pupils WHERE id = ? AND first_aid_excused = ?", [env.user_id, 1]):
        raise env.Error("you are excused from first aid")
    mine = env.one(
        "SELECT COALESCE(SUM(status = 'attended'), 0) AS attended, COALESCE(SUM(status = 'booked'), 0) AS booked,"
        " COALESCE(SUM(status = 'missed'), 0) AS missed FROM first_aid_bookings WHERE pupil_id = ?", [env.user_id])
    if mine["attended"]:
        raise env.Error("you have done first aid already")
    if mine["booked"]:
        raise env.Error("you are booked for a first aid day already")
    if mine["missed"] >= 2:
        raise env.Error("a missed first aid day can be repeated once only")
    taken = env.one(
        "SELECT COUNT(*) AS taken FROM first_aid_bookings WHERE first_aid_day_id = ? AND status <> 'cancelled'", [first_aid_day_id])["taken"]
    if taken >= day["places"]:
        raise env.Error("this first aid day has no place left")
    booking_id = env.insert(
        "INSERT INTO first_aid_bookings (first_aid_day_id, pupil_id, status, booked_at) VALUES (?, ?, 'booked', ?)",
        [first_aid_day_id, env.user_id, env.now])
    fee = BOOK_FIRST_AID_DAY_REPEAT_CENTS if mine["missed"] else 0
    if fee:
        env.insert(
            "INSERT INTO charges (pupil_id, kind, first_aid_booking_id, amount_cents, charged_at, due_on)"
            " VALUES (?, 'first_aid_repeat', ?, ?, ?, ?)",
            [env.user_id, booking_id, fee, env.now, _list_charges_due_in_14_days(env)])
    booking = env.one("SELECT id, first_aid_day_id, status, booked_at, cancelled_at FROM first_aid_bookings WHERE id = ?", [booking_id])
    return {"first_aid_booking": booking, "fee_cents": fee}
