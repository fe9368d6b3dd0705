import datetime
import math

LIST_DEPARTURES_RELEASE = "T18:00:00"
LIST_DEPARTURES_MOST_BOTTLES = 6
LIST_DEPARTURES_MOST_DOGS = 4
REPORT_DANGEROUS_ITEM_UNTIL = "T16:00:00"
REPORT_DANGEROUS_ITEM_BOTTLES = 2
REPORT_DANGEROUS_ITEM_KG = 11
REPORT_DANGEROUS_ITEM_LITRES = 10

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


def report_dangerous_item(env, *, crossing_id: int, kind: str, bottles: int = None, kg_each: float = None,
                          litres: float = None) -> dict:
    """Reports gas bottles or petrol for a booked crossing."""
    crossing = _book_crossing_row(env, crossing_id)
    if crossing["status"] != "booked" or crossing["departure_status"] != "scheduled":
        raise env.Error(f"Crossing {crossing['code']} is cancelled or the skipper has entered its departure already.")
    if env.now > _list_departures_day_before(crossing["leaves_at"]) + REPORT_DANGEROUS_ITEM_UNTIL:
        raise env.Error("Gas and petrol must be reported by 16:00 on the day before the departure.")
    sums = env.one("SELECT COALESCE(SUM(bottles), 0) AS bottles, COALESCE(SUM(litres), 0) AS litres"
                   " FROM dangerous_items WHERE crossing_id = ? AND status = 'reported'", [crossing_id])
    if kind == "gas_bottle":
        if bottles is None or kg_each is None or litres is not None:
            raise env.Error("Gas bottles need their number and the weight of each, and no litres.")
        if bottles < 1 or kg_each <= 0:
            raise env.Error("The number and the weight of the bottles must be above zero.")
        if kg_each > REPORT_DANGEROUS_ITEM_KG:
            raise env.Error(f"Gas bottles may weigh {REPORT_DANGEROUS_ITEM_KG} kg at most.")
        if sums["bottles"] + bottles > REPORT_DANGEROUS_ITEM_BOTTLES:
            raise env.Error(f"At most {REPORT_DANGEROUS_ITEM_BOTTLES} gas bottles may be reported for a crossing,"
                            f" and {sums['bottles']} are reported already.")
        departure = env.one("SELECT id, leaves_at, places, deck_m, held_m, shop_bottles FROM departures WHERE id = ?",
                            [crossing["departure_id"]])
        free = _list_departures_free(env, departure, 0)["free_bottles"]
        if bottles > free:
            raise env.Error(f"A departure carries six gas bottles at most, and only {free} more fit on this one.")
    else:
        if litres is None or bottles is not None or kg_each is not None:
            raise env.Error("Petrol needs its litres, and neither bottles nor their weight.")
        if litres <= 0:
            raise env.Error("The litres must be above zero.")
        if sums["litres"] + litres > REPORT_DANGEROUS_ITEM_LITRES:
            raise env.Error(f"At most {REPORT_DANGEROUS_ITEM_LITRES} litres of petrol may be reported for a crossing,"
                            f" and {sums['litres']} are reported already.")
    item_id = env.insert(
        "INSERT INTO dangerous_items (household_id, crossing_id, kind, bottles, kg_each, litres, status, reported_at)"
        " VALUES (?, ?, ?, ?, ?, ?, 'reported', ?)",
        [env.user_id, crossing_id, kind, bottles, kg_each, litres, env.now])
    return {"dangerous_item": env.one(
        "SELECT id AS dangerous_item_id, kind, bottles, kg_each, litres, status, reported_at FROM dangerous_items"
        " WHERE id = ?", [item_id])}
