import datetime

SEARCH_MOORINGS_SMALL_M = 10

def _get_night_quota_days(first, last):
    """The nights from one day up to, but without, another, as days."""
    start = datetime.date.fromisoformat(first)
    count = (datetime.date.fromisoformat(last) - start).days
    return [(start + datetime.timedelta(days=n)).isoformat() for n in range(count)]


def _search_cabins_tariff(env):
    """The price list of the household: residents and summer residents pay the resident prices."""
    return env.one(
        "SELECT t.* FROM households h JOIN tariffs t"
        " ON t.name = CASE WHEN h.standing = 'ordinary' THEN 'ordinary' ELSE 'resident' END WHERE h.id = ?",
        [env.user_id])


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


def _search_moorings_price(tariff, boat_length_m, arrives_on, leaves_on):
    """The price of a mooring for a boat and some nights."""
    night = tariff["mooring_small_cents"] if boat_length_m <= SEARCH_MOORINGS_SMALL_M else tariff["mooring_large_cents"]
    return night * len(_get_night_quota_days(arrives_on, leaves_on))


def search_moorings(env, *, arrives_on: str, leaves_on: str, boat_length_m: float, island_id: int = None) -> dict:
    """Lists the moorings that are free for all the nights and long enough for the boat."""
    _search_cabins_check_days(env, arrives_on, leaves_on)
    _search_cabins_check_island(env, island_id)
    moorings = env.query(
        "SELECT m.id AS mooring_id, m.island_id, i.name AS island_name, m.number, m.max_length_m FROM moorings m"
        " JOIN islands i ON i.id = m.island_id WHERE (:island IS NULL OR m.island_id = :island)"
        " AND m.max_length_m >= :length AND i.opens_on <= :first AND i.closes_on >= :last AND NOT EXISTS"
        " (SELECT 1 FROM mooring_bookings b WHERE b.mooring_id = m.id AND b.status = 'booked'"
        " AND b.arrives_on < :last AND b.leaves_on > :first) ORDER BY m.island_id, m.number",
        {"island": island_id, "length": boat_length_m, "first": arrives_on, "last": leaves_on})
    price = _search_moorings_price(_search_cabins_tariff(env), boat_length_m, arrives_on, leaves_on)
    return {"moorings": [{**mooring, "price_cents": price} for mooring in moorings]}
