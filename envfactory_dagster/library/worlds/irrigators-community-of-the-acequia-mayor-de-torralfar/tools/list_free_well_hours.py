import datetime


WELL_OPENS = 8
WELL_SHUTS = 22


def _well_season(env, day):
    """Refuses a day on which the well does not run."""
    season = env.one("SELECT from_day, to_day FROM calendar_entries WHERE entry = 'well'", [])
    if day < season["from_day"] or day > season["to_day"]:
        raise env.Error("The well runs from 1 May to 30 September.")



def list_free_well_hours(env, *, day: str) -> dict:
    """Which hours of the well nobody has on one day."""
    try:
        datetime.date.fromisoformat(day)
    except ValueError:
        raise env.Error("That is not a day such as 2026-07-16.")
    _well_season(env, day)
    rows = env.query(
        "SELECT starts_at, ends_at FROM well_bookings WHERE substr(starts_at, 1, 10) = ? AND status <> 'cancelled' ORDER BY starts_at, id",
        [day],
    )
    free = []
    first = None
    for hour in range(WELL_OPENS, WELL_SHUTS + 1):
        moment = day + "T" + str(hour).zfill(2) + ":00:00"
        taken = hour == WELL_SHUTS or any(row["starts_at"] <= moment < row["ends_at"] for row in rows)
        if not taken and first is None:
            first = hour
        if taken and first is not None:
            free.append({"starts_at": day + "T" + str(first).zfill(2) + ":00:00", "ends_at": moment, "hours": hour - first})
            first = None
    price = env.one(
        "SELECT COALESCE(hour_price_cents, price_cents) AS hour_price_cents FROM prices "
        "WHERE section = 'Pozo San Roque' AND applies_from <= ? ORDER BY applies_from DESC, id DESC LIMIT 1",
        [day],
    )
    return {"day": day, "hour_price_cents": price["hour_price_cents"], "free": free}
