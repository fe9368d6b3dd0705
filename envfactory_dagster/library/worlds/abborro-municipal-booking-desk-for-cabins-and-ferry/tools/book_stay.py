import datetime

GET_NIGHT_QUOTA_HIGH_FIRST = "06-15"
GET_NIGHT_QUOTA_HIGH_LAST = "08-09"
GET_NIGHT_QUOTA_ORDINARY = 7
GET_NIGHT_QUOTA_RESIDENT = 10
GET_NIGHT_QUOTA_SEASON = 21
GET_NIGHT_QUOTA_LATE_DAYS = 14
GET_NIGHT_QUOTA_FREE_HOURS = 72
SEARCH_CABINS_HELD_DAYS = 21
BOOK_STAY_LEAST = 2
BOOK_STAY_LEAST_HIGH = 3
BOOK_STAY_MIDSUMMER_FIRST = "06-18"
BOOK_STAY_MIDSUMMER_LAST = "06-20"

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


def _get_stay_row(env, stay_id):
    """A stay of the household as the tools show it."""
    row = env.one(
        "SELECT s.id AS stay_id, s.code, s.cabin_id, c.name AS cabin_name, c.island_id, s.arrives_on, s.leaves_on,"
        " s.adults, s.children, s.infants, s.own_boat, s.price_cents, s.status, s.booked_at, s.cancelled_at,"
        " s.cancelled_by, s.split_from_stay_id FROM stays s JOIN cabins c ON c.id = s.cabin_id"
        " WHERE s.id = ? AND s.household_id = ?", [stay_id, env.user_id])
    if row is None:
        raise env.Error(f"You have no stay {stay_id}.")
    return row


def _search_cabins_tariff(env):
    """The price list of the household: residents and summer residents pay the resident prices."""
    return env.one(
        "SELECT t.* FROM households h JOIN tariffs t"
        " ON t.name = CASE WHEN h.standing = 'ordinary' THEN 'ordinary' ELSE 'resident' END WHERE h.id = ?",
        [env.user_id])


def _search_cabins_price(tariff, nights):
    """The price of some nights in a cabin."""
    return sum(tariff["cabin_high_cents"] if _get_night_quota_is_high(night) else tariff["cabin_other_cents"]
               for night in nights)


def _search_cabins_taken(env, cabin_id, arrives_on, leaves_on, except_stay):
    """Whether a stay other than one lies in a cabin on some nights."""
    return env.one(
        "SELECT id FROM stays WHERE cabin_id = ? AND status NOT IN ('lapsed', 'cancelled')"
        " AND arrives_on < ? AND leaves_on > ? AND id <> ? ORDER BY id LIMIT 1",
        [cabin_id, leaves_on, arrives_on, except_stay]) is not None


def _search_cabins_obstacle(env, cabin_id, arrives_on, leaves_on, except_stay):
    """Why a cabin cannot be had on some nights: its island's season, a closure, another stay; or None."""
    island = env.one(
        "SELECT i.opens_on, i.closes_on FROM cabins c JOIN islands i ON i.id = c.island_id WHERE c.id = ?", [cabin_id])
    if arrives_on < island["opens_on"] or leaves_on > island["closes_on"]:
        return "season"
    if env.one("SELECT id FROM closures WHERE cabin_id = ? AND closes_on < ? AND reopens_on > ? ORDER BY id LIMIT 1",
               [cabin_id, leaves_on, arrives_on]) is not None:
        return "closure"
    if _search_cabins_taken(env, cabin_id, arrives_on, leaves_on, except_stay):
        return "stay"
    return None


def _search_cabins_is_held(env, has_ramp, arrives_on):
    """Whether the ramp cabin is still held for guests with reduced mobility, of whom the household is none."""
    ahead = datetime.date.fromisoformat(arrives_on) - datetime.date.fromisoformat(env.now[:10])
    return (has_ramp == 1 and ahead.days > SEARCH_CABINS_HELD_DAYS
            and _get_night_quota_household(env)["reduced_mobility"] == 0)


def _search_cabins_check_days(env, arrives_on, leaves_on):
    """Refuses days in the wrong order and an arrival in the past."""
    if leaves_on <= arrives_on:
        raise env.Error("The day of leaving must come after the day of arrival.")
    if arrives_on < env.now[:10]:
        raise env.Error(f"{arrives_on} is in the past.")


def _book_stay_check_free(env, cabin_id, name, arrives_on, leaves_on, except_stay):
    """Refuses nights on which a cabin cannot be had, and those of Midsummer."""
    why = _search_cabins_obstacle(env, cabin_id, arrives_on, leaves_on, except_stay)
    if why == "season":
        raise env.Error(f"{name} is not let on all of these nights: the season of its island does not cover them.")
    if why == "closure":
        raise env.Error(f"{name} is closed for repair on some of these nights.")
    if why == "stay":
        raise env.Error(f"{name} is not free on all nights from {arrives_on} to {leaves_on}.")
    for night in _get_night_quota_days(arrives_on, leaves_on):
        if BOOK_STAY_MIDSUMMER_FIRST <= night[5:10] <= BOOK_STAY_MIDSUMMER_LAST:
            raise env.Error("The nights of Midsummer, 18 to 20 June, are given out by drawing of lots only.")


def _book_stay_check_least(env, nights):
    """Refuses fewer nights than a stay needs."""
    least = BOOK_STAY_LEAST
    if any(_get_night_quota_is_high(night) for night in nights):
        least = BOOK_STAY_LEAST_HIGH
    if len(nights) < least:
        raise env.Error(f"A stay on these days must be at least {least} nights long.")


def _book_stay_is_gap(env, cabin_id, arrives_on, leaves_on):
    """Whether one night lies between two stays in a cabin."""
    return (len(_get_night_quota_days(arrives_on, leaves_on)) == 1
            and env.one("SELECT id FROM stays WHERE cabin_id = ? AND leaves_on = ?"
                        " AND status NOT IN ('lapsed', 'cancelled') ORDER BY id LIMIT 1",
                        [cabin_id, arrives_on]) is not None
            and env.one("SELECT id FROM stays WHERE cabin_id = ? AND arrives_on = ?"
                        " AND status NOT IN ('lapsed', 'cancelled') ORDER BY id LIMIT 1",
                        [cabin_id, leaves_on]) is not None)


def _book_stay_check_quota(env, nights):
    """Refuses nights beyond what the household may hold."""
    household = _get_night_quota_household(env)
    high, season = _get_night_quota_used(env, nights[0][:4])
    more = sum(1 for night in nights if _get_night_quota_is_high(night))
    if more > 0 and high + more > household["limit"]:
        raise env.Error(f"Your household may hold {household['limit']} nights between 15 June and 9 August and"
                        f" {high} count already, so {more} more are too many.")
    if season + len(nights) > GET_NIGHT_QUOTA_SEASON:
        raise env.Error(f"Your household may hold {GET_NIGHT_QUOTA_SEASON} nights in the season and {season} count"
                        f" already, so {len(nights)} more are too many.")


def book_stay(env, *, cabin_id: int, arrives_on: str, leaves_on: str, adults: int, children: int = 0,
              infants: int = 0, own_boat: int = 0) -> dict:
    """Books a free cabin as a held stay."""
    cabin = env.one("SELECT id, name, beds, has_ramp FROM cabins WHERE id = ?", [cabin_id])
    if cabin is None:
        raise env.Error(f"There is no cabin {cabin_id}.")
    _search_cabins_check_days(env, arrives_on, leaves_on)
    if adults < 1 or children < 0 or infants < 0:
        raise env.Error("At least one adult must stay, and no number of people can be negative.")
    if adults + children + infants > cabin["beds"]:
        raise env.Error(f"{cabin['name']} has only {cabin['beds']} beds.")
    _book_stay_check_free(env, cabin_id, cabin["name"], arrives_on, leaves_on, 0)
    if _search_cabins_is_held(env, cabin["has_ramp"], arrives_on):
        raise env.Error(f"{cabin['name']} is held for guests with reduced mobility until"
                        f" {SEARCH_CABINS_HELD_DAYS} days before arrival.")
    nights = _get_night_quota_days(arrives_on, leaves_on)
    if not _book_stay_is_gap(env, cabin_id, arrives_on, leaves_on):
        _book_stay_check_least(env, nights)
    if not _get_night_quota_is_exempt(env.now, arrives_on):
        _book_stay_check_quota(env, nights)
    tariff = _search_cabins_tariff(env)
    stay_id = env.insert(
        "INSERT INTO stays (code, household_id, cabin_id, tariff_id, split_from_stay_id, arrives_on, leaves_on, adults,"
        " children, infants, own_boat, price_cents, status, booked_at, cancelled_at, cancelled_by, resold)"
        " VALUES (:code, :me, :cabin, :tariff, NULL, :arrives, :leaves, :adults, :children, :infants, :boat, :price,"
        " 'held', :now, NULL, NULL, 0)",
        {"code": env.new_id("ST"), "me": env.user_id, "cabin": cabin_id, "tariff": tariff["id"],
         "arrives": arrives_on, "leaves": leaves_on, "adults": adults, "children": children, "infants": infants,
         "boat": own_boat, "price": _search_cabins_price(tariff, nights), "now": env.now})
    return {"stay": _get_stay_row(env, stay_id)}
