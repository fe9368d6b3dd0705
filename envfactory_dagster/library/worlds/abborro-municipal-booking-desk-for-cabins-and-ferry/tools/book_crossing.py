import datetime
import math

LIST_DEPARTURES_RELEASE = "T18:00:00"
LIST_DEPARTURES_MOST_BOTTLES = 6
LIST_DEPARTURES_MOST_DOGS = 4
BOOK_CROSSING_NINE = "09:00:00"
BOOK_CROSSING_CAR_BASE_M = 5

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


def _book_crossing_row(env, crossing_id):
    """A crossing of the household as the tools show it."""
    row = env.one(
        "SELECT c.id AS crossing_id, c.code, c.departure_id, d.leaves_at, d.direction, d.status AS departure_status,"
        " c.island_id, c.stay_id, c.vehicle_id, c.adults, c.children, c.infants, c.dogs, c.price_cents, c.status,"
        " c.booked_at, c.cancelled_at FROM crossings c JOIN departures d ON d.id = c.departure_id"
        " WHERE c.id = ? AND c.household_id = ?", [crossing_id, env.user_id])
    if row is None:
        raise env.Error(f"You have no crossing {crossing_id}.")
    return row


def _book_crossing_departure(env, departure_id):
    """A departure that can still be booked."""
    row = env.one("SELECT id, leaves_at, direction, status, places, deck_m, held_m, shop_bottles FROM departures"
                  " WHERE id = ?", [departure_id])
    if row is None:
        raise env.Error(f"There is no departure {departure_id}.")
    if row["status"] != "scheduled" or row["leaves_at"] <= env.now:
        raise env.Error("That departure has left or the skipper has entered it already.")
    return row


def _book_crossing_check_room(env, departure, island_id, people, dogs, length_m, except_crossing):
    """Refuses what does not fit on a departure or may not travel to the island with it."""
    island = env.one("SELECT name, opens_on, closes_on, car_access FROM islands WHERE id = ?", [island_id])
    if island is None:
        raise env.Error(f"There is no island {island_id}.")
    if not island["opens_on"] <= departure["leaves_at"][:10] <= island["closes_on"]:
        raise env.Error(f"{island['name']} is open only from {island['opens_on']} to {island['closes_on']}.")
    free = _list_departures_free(env, departure, except_crossing)
    if people > free["free_places"]:
        raise env.Error(f"Only {free['free_places']} places are free on that departure.")
    if dogs > free["free_dogs"]:
        raise env.Error(f"Four dogs may travel on a departure, and only {free['free_dogs']} more fit on that one.")
    if length_m is not None:
        if island["car_access"] == "never":
            raise env.Error(f"The ferry takes no vehicles for {island['name']}.")
        if island["car_access"] == "nine_only" and departure["leaves_at"][11:] != BOOK_CROSSING_NINE:
            raise env.Error(f"Vehicles for {island['name']} travel only on the 9:00 departure.")
        metres = _list_departures_metres(length_m)
        if metres > free["free_deck_m"]:
            raise env.Error(f"The vehicle needs {metres} m of deck, and only {free['free_deck_m']} m are free for"
                            " guests on that departure.")


def _book_crossing_stay(env, stay_id, island_id):
    """Refuses a stay with which nothing on an island can be billed."""
    stay = _get_stay_row(env, stay_id)
    _lengthen_stay_check_open(env, stay)
    if island_id is not None and stay["island_id"] != island_id:
        raise env.Error(f"Stay {stay['code']} is on another island.")


def _book_crossing_vehicle(env, vehicle_id):
    """The length of a vehicle of the household."""
    row = env.one("SELECT length_m FROM vehicles WHERE id = ? AND household_id = ?", [vehicle_id, env.user_id])
    if row is None:
        raise env.Error(f"You have no vehicle {vehicle_id}.")
    return row["length_m"]


def book_crossing(env, *, departure_id: int, island_id: int, adults: int, children: int = 0, infants: int = 0,
                  dogs: int = 0, vehicle_id: int = None, stay_id: int = None) -> dict:
    """Reserves places on a departure, with a vehicle if one travels along."""
    departure = _book_crossing_departure(env, departure_id)
    if min(adults, children, infants, dogs) < 0 or adults + children + infants < 1:
        raise env.Error("At least one person must travel, and no number can be negative.")
    length_m = None if vehicle_id is None else _book_crossing_vehicle(env, vehicle_id)
    _book_crossing_check_room(env, departure, island_id, adults + children + infants, dogs, length_m, 0)
    if stay_id is not None:
        _book_crossing_stay(env, stay_id, island_id)
        stay = _get_stay_row(env, stay_id)
        if not stay["arrives_on"] <= departure["leaves_at"][:10] <= stay["leaves_on"]:
            raise env.Error(f"Stay {stay['code']} lasts from {stay['arrives_on']} to {stay['leaves_on']}, so that"
                            " departure cannot belong to it.")
    tariff = _search_cabins_tariff(env)
    price = adults * tariff["adult_cents"] + children * tariff["child_cents"]
    if length_m is not None:
        further = max(0, math.ceil(round(length_m - BOOK_CROSSING_CAR_BASE_M, 6)))
        price += tariff["car_cents"] + further * tariff["further_metre_cents"]
    crossing_id = env.insert(
        "INSERT INTO crossings (code, household_id, departure_id, island_id, stay_id, vehicle_id, tariff_id, adults,"
        " children, infants, dogs, price_cents, status, booked_at, cancelled_at) VALUES (:code, :me, :departure,"
        " :island, :stay, :vehicle, :tariff, :adults, :children, :infants, :dogs, :price, 'booked', :now, NULL)",
        {"code": env.new_id("CR"), "me": env.user_id, "departure": departure_id, "island": island_id, "stay": stay_id,
         "vehicle": vehicle_id, "tariff": tariff["id"], "adults": adults, "children": children, "infants": infants,
         "dogs": dogs, "price": price, "now": env.now})
    if stay_id is not None:
        _lengthen_stay_restate(env, stay_id)
    return {"crossing": _book_crossing_row(env, crossing_id)}
