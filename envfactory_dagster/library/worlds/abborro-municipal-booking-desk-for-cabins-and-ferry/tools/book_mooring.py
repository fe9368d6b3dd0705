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


def _search_moorings_price(tariff, boat_length_m, arrives_on, leaves_on):
    """The price of a mooring for a boat and some nights."""
    night = tariff["mooring_small_cents"] if boat_length_m <= SEARCH_MOORINGS_SMALL_M else tariff["mooring_large_cents"]
    return night * len(_get_night_quota_days(arrives_on, leaves_on))


def _book_mooring_row(env, mooring_booking_id):
    """A mooring booking of the household as the tools show it."""
    row = env.one(
        "SELECT b.id AS mooring_booking_id, b.code, b.mooring_id, m.island_id, m.number, b.boat_name, b.boat_length_m,"
        " b.arrives_on, b.leaves_on, b.price_cents, b.status, b.booked_at, b.cancelled_at FROM mooring_bookings b"
        " JOIN moorings m ON m.id = b.mooring_id WHERE b.id = ? AND b.household_id = ?",
        [mooring_booking_id, env.user_id])
    if row is None:
        raise env.Error(f"You have no mooring booking {mooring_booking_id}.")
    return row


def book_mooring(env, *, mooring_id: int, arrives_on: str, leaves_on: str, boat_name: str,
                 boat_length_m: float) -> dict:
    """Books a mooring for the household's boat."""
    mooring = env.one("SELECT m.id, m.number, m.max_length_m, i.name AS island, i.opens_on, i.closes_on"
                      " FROM moorings m JOIN islands i ON i.id = m.island_id WHERE m.id = ?", [mooring_id])
    if mooring is None:
        raise env.Error(f"There is no mooring {mooring_id}.")
    _search_cabins_check_days(env, arrives_on, leaves_on)
    if boat_length_m <= 0:
        raise env.Error("The length of the boat must be above zero.")
    if boat_length_m > mooring["max_length_m"]:
        raise env.Error(f"Mooring {mooring['number']} on {mooring['island']} takes boats of up to"
                        f" {mooring['max_length_m']} m.")
    if arrives_on < mooring["opens_on"] or leaves_on > mooring["closes_on"]:
        raise env.Error(f"{mooring['island']} is open only from {mooring['opens_on']} to {mooring['closes_on']}.")
    if env.one("SELECT id FROM mooring_bookings WHERE mooring_id = ? AND status = 'booked' AND arrives_on < ?"
               " AND leaves_on > ? ORDER BY id LIMIT 1", [mooring_id, leaves_on, arrives_on]) is not None:
        raise env.Error(f"Mooring {mooring['number']} on {mooring['island']} is taken on some of these nights.")
    tariff = _search_cabins_tariff(env)
    booking_id = env.insert(
        "INSERT INTO mooring_bookings (code, household_id, mooring_id, tariff_id, boat_name, boat_length_m, arrives_on,"
        " leaves_on, price_cents, status, booked_at, cancelled_at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 'booked', ?, NULL)",
        [env.new_id("MB"), env.user_id, mooring_id, tariff["id"], boat_name, boat_length_m, arrives_on, leaves_on,
         _search_moorings_price(tariff, boat_length_m, arrives_on, leaves_on), env.now])
    return {"mooring_booking": _book_mooring_row(env, booking_id)}
