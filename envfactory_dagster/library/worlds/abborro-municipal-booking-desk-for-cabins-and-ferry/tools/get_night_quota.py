import datetime

GET_NIGHT_QUOTA_HIGH_FIRST = "06-15"
GET_NIGHT_QUOTA_HIGH_LAST = "08-09"
GET_NIGHT_QUOTA_ORDINARY = 7
GET_NIGHT_QUOTA_RESIDENT = 10
GET_NIGHT_QUOTA_SEASON = 21
GET_NIGHT_QUOTA_LATE_DAYS = 14
GET_NIGHT_QUOTA_FREE_HOURS = 72

def _get_night_quota_days(first, last):
    """The nights from one day up to, but without, another, as days."""
    start = datetime.date.fromisoformat(first)
    count = (datetime.date.fromisoformat(last) - start).days
    return [(start + datetime.timedelta(days=n)).isoformat() for n in range(count)]


def _get_night_quota_is_high(night):
    """Whether a night lies between 15 June and 9 August."""
    return GET_NIGHT_QUOTA_HIGH_FIRST <= night[5:10] <= GET_NIGHT_QUOTA_HIGH_LAST


def _get_night_quota_is_exempt(booked_at, arrives_on):
    """Whether nights booked at a moment lie outside the quota, because arrival is within 72 hours."""
    arrival = datetime.datetime.fromisoformat(arrives_on + "T00:00:00")
    booked = datetime.datetime.fromisoformat(booked_at)
    return arrival - booked <= datetime.timedelta(hours=GET_NIGHT_QUOTA_FREE_HOURS)


def _get_night_quota_household(env):
    """The user's household with its limit for the high weeks."""
    row = env.one("SELECT id, name, standing, reduced_mobility FROM households WHERE id = ?", [env.user_id])
    if row is None:
        raise env.Error("Your household is not known to the desk.")
    row["limit"] = GET_NIGHT_QUOTA_RESIDENT if row["standing"] == "resident" else GET_NIGHT_QUOTA_ORDINARY
    return row


def _get_night_quota_used(env, year):
    """How many nights of a season count for the household: in the high weeks, and altogether."""
    stays = env.query(
        "SELECT s.arrives_on, s.leaves_on, s.status, s.booked_at, s.cancelled_at, s.cancelled_by, s.resold,"
        " COALESCE(o.arrives_on, s.arrives_on) AS arrival"
        " FROM stays s LEFT JOIN stays o ON o.id = s.split_from_stay_id"
        " WHERE s.household_id = ? AND s.status <> 'lapsed' AND substr(s.arrives_on, 1, 4) = ? ORDER BY s.id",
        [env.user_id, year])
    high = season = 0
    for stay in stays:
        if stay["status"] == "cancelled":
            if stay["cancelled_by"] == "desk" or stay["resold"] == 1:
                continue
            arrival = datetime.date.fromisoformat(stay["arrival"])
            if (arrival - datetime.date.fromisoformat(stay["cancelled_at"][:10])).days >= GET_NIGHT_QUOTA_LATE_DAYS:
                continue
        if _get_night_quota_is_exempt(stay["booked_at"], stay["arrival"]):
            continue
        nights = _get_night_quota_days(stay["arrives_on"], stay["leaves_on"])
        season += len(nights)
        high += sum(1 for night in nights if _get_night_quota_is_high(night))
    return high, season


def get_night_quota(env) -> dict:
    """Shows the household and how many of its nights count towards the limits."""
    household = _get_night_quota_household(env)
    high, season = _get_night_quota_used(env, env.now[:4])
    return {"household_id": household["id"], "name": household["name"], "standing": household["standing"],
            "reduced_mobility": household["reduced_mobility"], "high_nights_counted": high,
            "high_nights_limit": household["limit"], "season_nights_counted": season,
            "season_nights_limit": GET_NIGHT_QUOTA_SEASON}
