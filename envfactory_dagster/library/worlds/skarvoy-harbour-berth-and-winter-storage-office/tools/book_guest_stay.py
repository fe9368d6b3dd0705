from datetime import date

BOOK_GUEST_STAY_SPARE_LENGTH_CM = 50
BOOK_GUEST_STAY_SPARE_WIDTH_CM = 40
BOOK_GUEST_STAY_SPARE_DEPTH_CM = 30


def _book_guest_stay_day(env, text):
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise env.Error(f"{text} is not a day like 2026-03-02")


def book_guest_stay(env, *, boat_id: int, berth_id: int, first_day: str, last_day: str) -> dict:
    """Book a guest berth for one of the user's boats at its price per night."""
    boat = env.one(
        """
        SELECT id, name, length_cm, beam_cm, draught_cm FROM boats
        WHERE id = ? AND boat_owner_id = ?
        """,
        [boat_id, env.user_id],
    )
    if boat is None:
        raise env.Error(f"you have no boat {boat_id}")
    berth = env.one(
        """
        SELECT id, code, kind, length_cm, width_cm, depth_cm, night_price_cents
        FROM berths
        WHERE id = ?
        """,
        [berth_id],
    )
    if berth is None:
        raise env.Error(f"there is no berth {berth_id}")
    if berth["kind"] != "guest":
        raise env.Error(f"berth {berth['code']} is not a guest berth")
    start = _book_guest_stay_day(env, first_day)
    end = _book_guest_stay_day(env, last_day)
    first_day = start.isoformat()
    last_day = end.isoformat()
    if first_day < env.now[:10]:
        raise env.Error("the day of arrival cannot lie in the past")
    if last_day <= first_day:
        raise env.Error("the day of departure must come after the day of arrival")
    if berth["length_cm"] < boat["length_cm"] + BOOK_GUEST_STAY_SPARE_LENGTH_CM:
        raise env.Error(
            f"berth {berth['code']} is too short for {boat['name']}: it must be at least 50 cm "
            "longer than the boat"
        )
    if berth["width_cm"] < boat["beam_cm"] + BOOK_GUEST_STAY_SPARE_WIDTH_CM:
        raise env.Error(
            f"berth {berth['code']} is too narrow for {boat['name']}: it must be at least 40 cm "
            "wider than the boat's beam"
        )
    if berth["depth_cm"] < boat["draught_cm"] + BOOK_GUEST_STAY_SPARE_DEPTH_CM:
        raise env.Error(
            f"berth {berth['code']} is too shallow for {boat['name']}: it must be at least 30 cm "
            "deeper than the boat's draught"
        )
    other = env.one(
        """
        SELECT first_day, last_day FROM guest_stays
        WHERE berth_id = ? AND status = 'booked' AND first_day < ? AND last_day > ?
        ORDER BY first_day, id
        LIMIT 1
        """,
        [berth_id, last_day, first_day],
    )
    if other is not None:
        raise env.Error(
            f"berth {berth['code']} is booked from {other['first_day']} to {other['last_day']}"
        )
    stay_id = env.insert(
        """
        INSERT INTO guest_stays (boat_id, berth_id, absence_notice_id, first_day, last_day,
                                 night_price_cents, status, booked_at, cancelled_at)
        VALUES (?, ?, NULL, ?, ?, ?, 'booked', ?, NULL)
        """,
        [boat_id, berth_id, first_day, last_day, berth["night_price_cents"], env.now],
    )
    nights = (end - start).days
    return {
        "guest_stay": {
            "id": stay_id,
            "boat_id": boat["id"],
            "boat_name": boat["name"],
            "berth_id": berth["id"],
            "berth_code": berth["code"],
            "first_day": first_day,
            "last_day": last_day,
            "nights": nights,
            "night_price_cents": berth["night_price_cents"],
            "total_cents": nights * berth["night_price_cents"],
            "status": "booked",
            "booked_at": env.now,
            "cancelled_at": None,
        }
    }
