import datetime

APPLY_FOR_ZONE_WORKING_DAYS = 10
APPLY_FOR_ZONE_SIGNS_UP_DAYS = 3
APPLY_FOR_ZONE_FEE_CENTS = 3900
APPLY_FOR_ZONE_RENT_PER_SIGN_CENTS = 1600


def _apply_for_zone_working_days(env, day):
    """Counts the working days after today up to the day given, that day included, but no further than needed."""
    today = datetime.date.fromisoformat(env.now[:10])
    holidays = {
        row["day"]
        for row in env.query(
            "SELECT day FROM public_holidays WHERE day > :today AND day <= :day ORDER BY day",
            {"today": today.isoformat(), "day": day.isoformat()},
        )
    }
    count = 0
    while today < day and count < APPLY_FOR_ZONE_WORKING_DAYS:
        today += datetime.timedelta(days=1)
        if today.weekday() < 5 and today.isoformat() not in holidays:
            count += 1
    return count


def apply_for_zone(env, *, removal_address_id: int, zone_day: str, signs: int) -> dict:
    """Applies for a no-stopping zone at an address of one of the user's removals."""
    address = env.one(
        """SELECT a.street, r.code, r.status FROM removal_addresses a JOIN removals r ON r.id = a.removal_id
           WHERE a.id = :address AND r.customer_id = :user""",
        {"address": removal_address_id, "user": env.user_id},
    )
    if address is None:
        raise env.Error(f"None of your removals has an address {removal_address_id}.")
    if address["status"] not in ("requested", "offered", "confirmed"):
        raise env.Error(f"Removal {address['code']} is {address['status'].replace('_', ' ')}; it needs no zone any more.")
    if signs < 2 or signs > 6:
        raise env.Error("A zone has from 2 to 6 signs.")
    try:
        day = datetime.date.fromisoformat(zone_day)
    except ValueError:
        raise env.Error(f"{zone_day} is not a day of the calendar.")
    days = _apply_for_zone_working_days(env, day)
    if days < APPLY_FOR_ZONE_WORKING_DAYS:
        raise env.Error(f"{zone_day} is only {days} working days away; the magistrate needs at least 10.")
    up = (day - datetime.timedelta(days=APPLY_FOR_ZONE_SIGNS_UP_DAYS)).isoformat()
    rent = signs * APPLY_FOR_ZONE_RENT_PER_SIGN_CENTS
    zone = env.insert(
        """INSERT INTO no_stopping_zones (removal_address_id, zone_day, signs, applied_on, signs_up_on,
                                          application_fee_cents, sign_rent_cents, status)
           VALUES (:address, :day, :signs, :today, :up, :fee, :rent, 'applied')""",
        {
            "address": removal_address_id,
            "day": day.isoformat(),
            "signs": signs,
            "today": env.now[:10],
            "up": up,
            "fee": APPLY_FOR_ZONE_FEE_CENTS,
            "rent": rent,
        },
    )
    return {
        "no_stopping_zone_id": zone,
        "removal_address_id": removal_address_id,
        "zone_day": day.isoformat(),
        "signs": signs,
        "applied_on": env.now[:10],
        "signs_up_on": up,
        "application_fee_cents": APPLY_FOR_ZONE_FEE_CENTS,
        "sign_rent_cents": rent,
        "status": "applied",
    }
