import datetime
import math

LIST_DEPARTURES_RELEASE = "T18:00:00"
LIST_DEPARTURES_MOST_BOTTLES = 6
LIST_DEPARTURES_MOST_DOGS = 4

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


def list_departures(env, *, first_day: str, last_day: str, direction: str = None) -> dict:
    """Lists the departures of some days with what is still free on each."""
    if last_day < first_day:
        raise env.Error("The last day must not come before the first.")
    rows = env.query(
        "SELECT id, leaves_at, direction, status, entered_at, places, deck_m, held_m, shop_bottles FROM departures"
        " WHERE substr(leaves_at, 1, 10) >= :first AND substr(leaves_at, 1, 10) <= :last"
        " AND (:direction IS NULL OR direction = :direction) ORDER BY leaves_at, direction DESC, id",
        {"first": first_day, "last": last_day, "direction": direction})
    departures = []
    for row in rows:
        departures.append({
            "departure_id": row["id"], "leaves_at": row["leaves_at"], "direction": row["direction"],
            "status": row["status"], "entered_at": row["entered_at"], **_list_departures_free(env, row, 0),
            "skipper_notes": env.query("SELECT body, written_at FROM skipper_notes WHERE departure_id = ?"
                                       " ORDER BY written_at, id", [row["id"]])})
    return {"departures": departures}
