import datetime
import math

LIST_DEPARTURES_RELEASE = "T18:00:00"
LIST_DEPARTURES_MOST_BOTTLES = 6
LIST_DEPARTURES_MOST_DOGS = 4

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


def _search_cabins_tariff(env):
    """The price list of the household: residents and summer residents pay the resident prices."""
    return env.one(
        "SELECT t.* FROM households h JOIN tariffs t"
        " ON t.name = CASE WHEN h.standing = 'ordinary' THEN 'ordinary' ELSE 'resident' END WHERE h.id = ?",
        [env.user_id])


def _lengthen_stay_restate(env, stay_id):
    """Makes a stay paid or deposit_paid, as its balance has become, if it is one of the two."""
    balance = _get_stay_bill(env, stay_id)[2]
    env.execute("UPDATE stays SET status = ? WHERE id = ? AND status IN ('deposit_paid', 'paid')",
                ["deposit_paid" if balance > 0 else "paid", stay_id])


def _lengthen_stay_check_open(env, stay):
    """Refuses a stay that is over, cancelled or lapsed."""
    if stay["status"] not in ("held", "deposit_paid", "paid", "arrived") or stay["leaves_on"] < env.now[:10]:
        raise env.Error(f"Stay {stay['code']} is {stay['status']} or over, so nothing about it can change.")


def _list_departures_day_before(leaves_at):
    """The day before a departure."""
    day = datetime.date.fromisoformat(leaves_at[:10]) - datetime.timedelta(days=1)
    return day.isoformat()


def _list_departures_metres(length_m):
    """A length of a vehicle rounded up to the half metre."""
    return math.ceil(round(length_m * 2, 6)) / 2


def _list_departures_free(env, departure, except_crossing):
    """Places, deck metres, bottles and dogs still free on a departure, one crossing left out."""
    booked = env.query(
        "SELECT c.adults + c.children + c.infants AS people, c.dogs, v.length_m FROM crossings c"
        " LEFT JOIN vehicles v ON v.id = c.vehicle_id WHERE c.departure_id = ? AND c.status = 'booked' AND c.id <> ?"
        " ORDER BY c.id", [departure["id"], except_crossing])
    bottles = env.one(
        "SELECT COALESCE(SUM(g.bottles), 0) AS n FROM dangerous_items g JOIN crossings c ON c.id = g.crossing_id"
        " WHERE c.departure_id = ? AND c.status = 'booked' AND g.status = 'reported' AND c.id <> ?",
        [departure["id"], except_crossing])["n"]
    metres = departure["deck_m"] - sum(_list_departures_metres(c["length_m"]) for c in booked if c["length_m"])
    if env.now < _list_departures_day_before(departure["leaves_at"]) + LIST_DEPARTURES_RELEASE:
        metres -= departure["held_m"]
    return {"free_places": max(0, departure["places"] - sum(c["people"] for c in booked)),
            "free_deck_m": max(0.0, metres),
            "free_bottles": max(0, LIST_DEPARTURES_MOST_BOTTLES - departure["shop_bottles"] - bottles),
            "free_dogs": max(0, LIST_DEPARTURES_MOST_DOGS - sum(c["dogs"] for c in booked))}


def _add_dog_row(env, dog_id):
    """A dog of the household as the tools show it."""
    row = env.one("SELECT id AS dog_id, stay_id, name, is_assistance, price_cents, status, dropped_at FROM dogs"
                  " WHERE id = ? AND household_id = ?", [dog_id, env.user_id])
    if row is None:
        raise env.Error(f"You have no dog {dog_id}.")
    return row


def _add_dog_crossings(env, stay_id):
    """The crossings of a stay that are still to leave."""
    return env.query(
        "SELECT c.id, c.departure_id, c.dogs FROM crossings c JOIN departures d ON d.id = c.departure_id"
        " WHERE c.stay_id = ? AND c.status = 'booked' AND d.status = 'scheduled' AND d.leaves_at > ?"
        " ORDER BY d.leaves_at, c.id", [stay_id, env.now])


def add_dog(env, *, stay_id: int, name: str, is_assistance: int = 0) -> dict:
    """Reports a dog for a stay and puts it on the crossings still to leave."""
    stay = _get_stay_row(env, stay_id)
    _lengthen_stay_check_open(env, stay)
    crossings = []
    price = 0
    if is_assistance == 0:
        if env.one("SELECT takes_dogs FROM cabins WHERE id = ?", [stay["cabin_id"]])["takes_dogs"] == 0:
            raise env.Error(f"{stay['cabin_name']} takes no dogs.")
        crossings = _add_dog_crossings(env, stay_id)
        for crossing in crossings:
            departure = env.one("SELECT id, leaves_at, places, deck_m, held_m, shop_bottles FROM departures"
                                " WHERE id = ?", [crossing["departure_id"]])
            if _list_departures_free(env, departure, 0)["free_dogs"] < 1:
                raise env.Error(f"The departure of {departure['leaves_at']} already has four dogs.")
        price = _search_cabins_tariff(env)["dog_cents"]
    dog_id = env.insert(
        "INSERT INTO dogs (household_id, stay_id, name, is_assistance, price_cents, status, dropped_at)"
        " VALUES (?, ?, ?, ?, ?, 'reported', NULL)", [env.user_id, stay_id, name, is_assistance, price])
    for crossing in crossings:
        env.execute("UPDATE crossings SET dogs = dogs + 1 WHERE id = ? AND stay_id = ?", [crossing["id"], stay_id])
    _lengthen_stay_restate(env, stay_id)
    return {"dog": _add_dog_row(env, dog_id)}
