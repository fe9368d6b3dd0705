import datetime

MOVE_ZONE_WORKING_DAYS = 10
MOVE_ZONE_SIGNS_UP_DAYS = 3


def _move_zone_working_days(env, day):
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
    while today < day and count < MOVE_ZONE_WORKING_DAYS:
        today += datetime.timedelta(days=1)
        if today.weekday() < 5 and today.isoformat() not in holidays:
            count += 1
    return count


def move_zone(env, *, no_stopping_zone_id: int, zone_day: str) -> dict:
    """Moves a no-stopping zone of one of the user's removals to another day."""
    zone = env.one(
        """SELECT z.zone_day, z.signs, z.status, a.street
           FROM no_stopping_zones z
           JOIN removal_addresses a ON a.id = z.removal_address_id
           JOIN removals r ON r.id = a.removal_id
           WHERE z.id = :zone AND r.customer_id = :user""",
        {"zone": no_stopping_zone_id, "user": env.user_id},
    )
    if zone is None:
        raise env.Error(f"You have no no-stopping zone {no_stopping_zone_id}.")
    if zone["status"] == "withdrawn":
        raise env.Error(f"The zone at {zone['street']} was withdrawn.")
    if zone["zone_day"] < env.now[:10]:
        raise env.Error(f"The day of the zone at {zone['street']}, {zone['zone_day']}, is past.")
    try:
        day = datetime.date.fromisoformat(zone_day)
    except ValueError:
        raise env.Error(f"{zone_day} is not a day of the calendar.")
    if day.isoformat() == zone["zone_day"]:
        raise env.Error(f"The zone at {zone['street']} stands on {zone['zone_day']} already.")
    days = _move_zone_working_days(env, day)
    if days < MOVE_ZONE_WORKING_DAYS:
        raise env.Error(f"{zone_day} is only {days} working days away; the magistrate needs at least 10.")
    up = (day - datetime.timedelta(days=MOVE_ZONE_SIGNS_UP_DAYS)).isoformat()
    env.execute(
        """UPDATE no_stopping_zones SET zone_day = :day, applied_on = :today, signs_up_on = :up, status = 'applied'
           WHERE id = :zone""",
        {"day": day.isoformat(), "today": env.now[:10], "up": up, "zone": no_stopping_zone_id},
    )
    return {
        "no_stopping_zone_id": no_stopping_zone_id,
        "zone_day": day.isoformat(),
        "signs": zone["signs"],
        "applied_on": env.now[:10],
        "signs_up_on": up,
        "status": "applied",
    }
