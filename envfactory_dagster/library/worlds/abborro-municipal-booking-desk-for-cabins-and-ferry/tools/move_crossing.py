import datetime
import math

LIST_DEPARTURES_RELEASE = "T18:00:00"
LIST_DEPARTURES_MOST_BOTTLES = 6
LIST_DEPARTURES_MOST_DOGS = 4
BOOK_CROSSING_NINE = "09:00:00"
REPORT_DANGEROUS_ITEM_UNTIL = "T16:00:00"

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


def _book_crossing_vehicle(env, vehicle_id):
    """The length of a vehicle of the household."""
    row = env.one("SELECT length_m FROM vehicles WHERE id = ? AND household_id = ?", [vehicle_id, env.user_id])
    if row is None:
        raise env.Error(f"You have no vehicle {vehicle_id}.")
    return row["length_m"]


def move_crossing(env, *, crossing_id: int, departure_id: int) -> dict:
    """Moves a booked crossing to another departure in the same direction."""
    crossing = _book_crossing_row(env, crossing_id)
    departure = _book_crossing_departure(env, departure_id)
    if crossing["status"] != "booked":
        raise env.Error(f"Crossing {crossing['code']} is cancelled.")
    if crossing["departure_id"] == departure_id:
        raise env.Error("The crossing is on that departure already.")
    if crossing["departure_status"] == "sailed" or (
            crossing["departure_status"] == "scheduled" and crossing["leaves_at"] <= env.now):
        raise env.Error(f"The departure of crossing {crossing['code']} has left.")
    if departure["direction"] != crossing["direction"]:
        raise env.Error("A crossing can be moved only to a departure in the same direction.")
    if env.one("SELECT id FROM claims WHERE crossing_id = ? ORDER BY id LIMIT 1", [crossing_id]) is not None:
        raise env.Error(f"A claim was filed for crossing {crossing['code']}, so it cannot be moved.")
    people = crossing["adults"] + crossing["children"] + crossing["infants"]
    length_m = None if crossing["vehicle_id"] is None else _book_crossing_vehicle(env, crossing["vehicle_id"])
    _book_crossing_check_room(env, departure, crossing["island_id"], people, crossing["dogs"], length_m, crossing_id)
    items = env.one("SELECT COUNT(*) AS n, COALESCE(SUM(bottles), 0) AS bottles FROM dangerous_items"
                    " WHERE crossing_id = ? AND status = 'reported'", [crossing_id])
    if items["n"] > 0:
        if env.now > _list_departures_day_before(departure["leaves_at"]) + REPORT_DANGEROUS_ITEM_UNTIL:
            raise env.Error("The reported gas or petrol would have to be reported by 16:00 on the day before.")
        if items["bottles"] > _list_departures_free(env, departure, crossing_id)["free_bottles"]:
            raise env.Error("The reported gas bottles would be more than the six a departure may carry.")
    env.execute("UPDATE crossings SET departure_id = ? WHERE id = ? AND household_id = ?",
                [departure_id, crossing_id, env.user_id])
    return {"crossing": _book_crossing_row(env, crossing_id)}
