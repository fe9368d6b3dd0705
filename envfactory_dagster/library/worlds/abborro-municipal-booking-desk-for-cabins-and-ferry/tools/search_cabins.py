import datetime

GET_NIGHT_QUOTA_HIGH_FIRST = "06-15"
GET_NIGHT_QUOTA_HIGH_LAST = "08-09"
GET_NIGHT_QUOTA_ORDINARY = 7
GET_NIGHT_QUOTA_RESIDENT = 10
SEARCH_CABINS_HELD_DAYS = 21

def _get_night_quota_days(first, last):
    """The nights from one day up to, but without, another, as days."""
    start = datetime.date.fromisoformat(first)
    count = (datetime.date.fromisoformat(last) - start).days
    return [(start + datetime.timedelta(days=n)).isoformat() for n in range(count)]


def _get_night_quota_is_high(night):
    """Whether a night lies between 15 June and 9 August."""
    return GET_NIGHT_QUOTA_HIGH_FIRST <= night[5:10] <= GET_NIGHT_QUOTA_HIGH_LAST


def _get_night_quota_household(env):
    """The user's household with its limit for the high weeks."""
    row = env.one("SELECT id, name, standing, reduced_mobility FROM households WHERE id = ?", [env.user_id])
    if row is None:
        raise env.Error("Your household is not known to the desk.")
    row["limit"] = GET_NIGHT_QUOTA_RESIDENT if row["standing"] == "resident" else GET_NIGHT_QUOTA_ORDINARY
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


def _search_cabins_check_island(env, island_id):
    """Refuses an island that does not exist."""
    if island_id is not None and env.one("SELECT id FROM islands WHERE id = ?", [island_id]) is None:
        raise env.Error(f"There is no island {island_id}.")


def search_cabins(env, *, arrives_on: str, leaves_on: str, island_id: int = None, min_beds: int = None,
                  takes_dogs: int = None) -> dict:
    """Lists cabins with their price for some nights and says whether each is free."""
    _search_cabins_check_days(env, arrives_on, leaves_on)
    _search_cabins_check_island(env, island_id)
    price = _search_cabins_price(_search_cabins_tariff(env), _get_night_quota_days(arrives_on, leaves_on))
    cabins = env.query(
        "SELECT c.id AS cabin_id, c.name, c.island_id, i.name AS island_name, c.beds, c.takes_dogs, c.has_ramp"
        " FROM cabins c JOIN islands i ON i.id = c.island_id WHERE (:island IS NULL OR c.island_id = :island)"
        " AND (:beds IS NULL OR c.beds >= :beds) AND (:dogs IS NULL OR c.takes_dogs = :dogs)"
        " ORDER BY c.island_id, c.name, c.id", {"island": island_id, "beds": min_beds, "dogs": takes_dogs})
    for cabin in cabins:
        why = _search_cabins_obstacle(env, cabin["cabin_id"], arrives_on, leaves_on, 0)
        if why is None and _search_cabins_is_held(env, cabin["has_ramp"], arrives_on):
            why = "held"
        cabin["price_cents"] = price
        cabin["is_free"] = why is None
        cabin["not_free_because"] = why
    return {"cabins": cabins}
