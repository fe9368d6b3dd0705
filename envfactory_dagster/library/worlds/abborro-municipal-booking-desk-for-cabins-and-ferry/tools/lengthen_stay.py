import datetime

GET_NIGHT_QUOTA_HIGH_FIRST = "06-15"
GET_NIGHT_QUOTA_HIGH_LAST = "08-09"
GET_NIGHT_QUOTA_ORDINARY = 7
GET_NIGHT_QUOTA_RESIDENT = 10
GET_NIGHT_QUOTA_SEASON = 21
GET_NIGHT_QUOTA_LATE_DAYS = 14
GET_NIGHT_QUOTA_FREE_HOURS = 72
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


def _get_stay_bill(env, stay_id):
    """What a stay costs with all that is billed with it, what has been paid for it, and the balance."""
    row = env.one(
        "SELECT s.status, s.price_cents"
        " + (SELECT COALESCE(SUM(c.price_cents), 0) FROM crossings c WHERE c.stay_id = s.id AND c.status = 'booked')"
        " + (SELECT COALESCE(SUM(d.price_cents), 0) FROM dogs d WHERE d.stay_id = s.id AND d.status = 'reported')"
        " + (SELECT COALESCE(SUM(t.price_cents), 0) FROM sauna_turns t WHERE t.stay_id = s.id AND t.status = 'booked')"
        " AS total, (SELECT COALESCE(SUM(CASE WHEN p.kind = 'refund' THEN -p.amount_cents ELSE p.amount_cents END), 0)"
        " FROM payments p WHERE p.stay_id = s.id) AS paid FROM stays s WHERE s.id = ? AND s.household_id = ?",
        [stay_id, env.user_id])
    over = row["status"] in ("cancelled", "lapsed")
    return row["total"], row["paid"], 0 if over else max(0, row["total"] - row["paid"])


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


def _lengthen_stay_tariff(env, stay_id):
    """The price list at which a stay was sold."""
    return env.one("SELECT t.* FROM stays s JOIN tariffs t ON t.id = s.tariff_id WHERE s.id = ?", [stay_id])


def _lengthen_stay_restate(env, stay_id):
    """Makes a stay paid or deposit_paid, as its balance has become, if it is one of the two."""
    balance = _get_stay_bill(env, stay_id)[2]
    env.execute("UPDATE stays SET status = ? WHERE id = ? AND status IN ('deposit_paid', 'paid')",
                ["deposit_paid" if balance > 0 else "paid", stay_id])


def _lengthen_stay_check_open(env, stay):
    """Refuses a stay that is over, cancelled or lapsed."""
    if stay["status"] not in ("held", "deposit_paid", "paid", "arrived") or stay["leaves_on"] < env.now[:10]:
        raise env.Error(f"Stay {stay['code']} is {stay['status']} or over, so nothing about it can change.")


def lengthen_stay(env, *, stay_id: int, leaves_on: str) -> dict:
    """Lets a stay leave later."""
    stay = _get_stay_row(env, stay_id)
    _lengthen_stay_check_open(env, stay)
    if leaves_on <= stay["leaves_on"]:
        raise env.Error(f"The stay already lasts until {stay['leaves_on']}; the new day of leaving must be later.")
    _book_stay_check_free(env, stay["cabin_id"], stay["cabin_name"], stay["leaves_on"], leaves_on, stay_id)
    _book_stay_check_least(env, _get_night_quota_days(stay["arrives_on"], leaves_on))
    added = _get_night_quota_days(stay["leaves_on"], leaves_on)
    if not _get_night_quota_is_exempt(stay["booked_at"], stay["arrives_on"]):
        _book_stay_check_quota(env, added)
    price = _search_cabins_price(_lengthen_stay_tariff(env, stay_id), added)
    env.execute("UPDATE stays SET leaves_on = ?, price_cents = price_cents + ? WHERE id = ? AND household_id = ?",
                [leaves_on, price, stay_id, env.user_id])
    _lengthen_stay_restate(env, stay_id)
    return {"stay": _get_stay_row(env, stay_id)}
