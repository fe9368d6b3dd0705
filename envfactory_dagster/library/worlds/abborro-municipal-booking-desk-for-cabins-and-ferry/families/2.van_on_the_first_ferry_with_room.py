import datetime
import math

VAN_DECK_NAMES = ("Ojala", "Blomqvist", "Räsänen", "Hägg", "Leino", "Forss", "Tikkanen", "Byman", "Aalto", "Ekholm",
                  "Harju", "Nordström", "Vuori", "Kanerva", "Wik")
VAN_DECK_LENGTHS = (9.4, 7.8, 8.6, 6.9, 9.0, 8.2, 7.3, 9.5, 8.8, 7.6, 9.2, 8.4, 7.0, 9.1, 8.0)


def _ahead(text, days):
    return (datetime.date.fromisoformat(text) + datetime.timedelta(days=days)).isoformat()


def _times(day):
    """The ferries of an ordinary day."""
    weekday = datetime.date.fromisoformat(day).weekday()
    return [time for time in ("09:00", "13:00", "17:30")
            if not (time == "09:00" and weekday == 6) and not (time == "13:00" and weekday == 2)]


def _metres(length):
    return math.ceil(round(length * 2, 6)) / 2


def instances(world, rng):
    """A long vehicle for an island, ferries with a full deck before one with room, and an island without vehicles."""
    islands = world.query("SELECT i.id, i.name, i.car_access FROM islands i ORDER BY i.name DESC")
    van = world.one("SELECT v.id, v.plate, v.length_m FROM vehicles v WHERE v.household_id = 1"
                    " ORDER BY v.length_m DESC LIMIT 1")
    known = {(row["leaves_at"], row["direction"]): row["id"] for row in world.query(
        "SELECT d.id, d.leaves_at, d.direction FROM departures d WHERE d.status = 'scheduled' ORDER BY d.id")}
    loaded = {}
    for row in world.query(
            "SELECT c.departure_id, v.length_m FROM crossings c JOIN vehicles v ON v.id = c.vehicle_id"
            " WHERE c.status <> 'cancelled' ORDER BY c.id"):
        loaded[row["departure_id"]] = loaded.get(row["departure_id"], 0.0) + _metres(row["length_m"])
    price = world.one(
        "SELECT p.id, p.adult_cents, p.car_cents, p.further_metre_cents FROM tariffs p JOIN households u ON u.id = 1"
        " WHERE p.name = CASE WHEN u.standing <> 'ordinary' THEN 'resident' ELSE 'ordinary' END")
    away = world.query("SELECT e.arrives_on, e.leaves_on FROM stays e WHERE e.household_id = 1"
                       " AND e.status NOT IN ('cancelled', 'lapsed', 'left') ORDER BY e.id")
    top = world.one(
        "SELECT (SELECT max(id) FROM households) AS household, (SELECT max(id) FROM vehicles) AS vehicle,"
        " (SELECT max(id) FROM departures) AS departure, (SELECT max(id) FROM crossings) AS crossing,"
        " (SELECT max(id) FROM payments) AS payment")
    today, year = world.clock[:10], world.clock[:4]
    home_island = next(row["id"] for row in islands if row["car_access"] == "any")
    for _ in range(3000):
        island, people = rng.choice(islands), 2
        day = _ahead(today, rng.randint(3, 70))
        home = _ahead(day, rng.randint(4, 8))
        out_days, back_days = [_ahead(day, n) for n in range(3)], [_ahead(home, n) for n in range(2)]
        if back_days[-1] > year + "-09-29" or year + "-08-29" in out_days + back_days:
            continue
        if any(row["arrives_on"] <= back_days[-1] and row["leaves_on"] >= day for row in away):
            continue
        need = _metres(van["length_m"])
        given = {"households": [], "vehicles": [], "departures": [], "crossings": [], "payments": []}
        found = {}
        for way, days in (("out", out_days), ("back", back_days)):
            for one in days:
                for time in _times(one):
                    number = known.get((f"{one}T{time}:00", way))
                    if number is None:
                        number = top["departure"] + 1 + len(given["departures"])
                        given["departures"].append({
                            "id": number, "leaves_at": f"{one}T{time}:00", "direction": way, "places": 48,
                            "deck_m": 34.0, "held_m": 6.0, "shop_bottles": rng.choice((0, 0, 1, 2)),
                            "status": "scheduled", "entered_at": None})
                    used = loaded.get(number, 0.0)
                    full = way not in found and rng.random() < 0.55
                    while full and 28 - used >= need and len(given["vehicles"]) < len(VAN_DECK_NAMES):
                        index = len(given["vehicles"])
                        length = VAN_DECK_LENGTHS[index]
                        if used + _metres(length) > 28:
                            break
                        used += _metres(length)
                        cents = 900 + 2400 + 600 * math.ceil(length - 5)
                        asked = _ahead(today, -2 - index) + "T15:30:00"
                        given["households"].append({"id": top["household"] + 1 + index, "name": VAN_DECK_NAMES[index],
                                                    "standing": "ordinary", "reduced_mobility": 0})
                        given["vehicles"].append({"id": top["vehicle"] + 1 + index,
                                                  "household_id": top["household"] + 1 + index,
                                                  "plate": f"TRL-{101 + 37 * index % 899}", "length_m": length})
                        given["crossings"].append({
                            "id": top["crossing"] + 1 + index, "code": f"CR-{36001 + top['crossing'] + index}",
                            "household_id": top["household"] + 1 + index, "departure_id": number,
                            "island_id": home_island, "stay_id": None, "vehicle_id": top["vehicle"] + 1 + index,
                            "tariff_id": 1, "adults": 1, "children": 0, "infants": 0, "dogs": 0, "price_cents": cents,
                            "status": "booked", "booked_at": asked, "cancelled_at": None})
                        given["payments"].append({
                            "id": top["payment"] + 1 + index, "household_id": top["household"] + 1 + index,
                            "stay_id": None, "crossing_id": top["crossing"] + 1 + index, "sauna_turn_id": None,
                            "mooring_booking_id": None, "kind": "balance", "method": "card", "amount_cents": cents,
                            "paid_at": asked[:14] + "40:00"})
                    may = island["car_access"] == "any" or (island["car_access"] == "nine_only" and time == "09:00")
                    if way not in found and may and 28 - used >= need:
                        found[way] = (number, f"{one}T{time}:00")
        refused = island["car_access"] == "never"
        if not refused and len(found) < 2 or refused and rng.random() < 0.4:
            continue
        fare = people * price["adult_cents"] + price["car_cents"] + max(
            0, math.ceil(round(van["length_m"] - 5, 6))) * price["further_metre_cents"]
        instance = {"p": {"island": island["name"], "plate": van["plate"], "day": day, "home": home,
                          "island_id": island["id"], "van": van["id"], "refused": refused,
                          "out": None if refused else list(found["out"]),
                          "back": None if refused else list(found["back"]), "price": 2 * fare},
                    "given": {table: rows for table, rows in given.items() if rows}}
        if refused:
            instance["kind"], instance["rule"] = "refusal", "cars_by_island"
        yield instance


def solve(tools, p):
    island = next(row for row in tools.list_islands()["islands"] if row["name"] == p["island"])
    van = next(row for row in tools.list_vehicles()["vehicles"] if row["plate"] == p["plate"])
    chosen = []
    for way, first, last in (("out", p["day"], _ahead(p["day"], 2)), ("back", p["home"], _ahead(p["home"], 1))):
        ferries = tools.list_departures(first_day=first, last_day=last, direction=way)["departures"]
        chosen.append(next((row for row in ferries if row["free_deck_m"] >= _metres(van["length_m"])
                            and row["free_places"] >= 2
                            and (island["car_access"] != "nine_only" or row["leaves_at"][11:16] == "09:00")), None))
    booked = []
    try:
        for ferry in chosen:
            booked.append(tools.book_crossing(departure_id=ferry["departure_id"], island_id=island["island_id"],
                                              adults=2, vehicle_id=van["vehicle_id"])["crossing"])
    except tools.Error:
        return {
            "outcome": "refused",
            "answers": {"out_day": None, "out_time": None, "home_day": None, "home_time": None, "price": None},
            "reason": "cars_by_island",
            "message": f"The ferry never takes a vehicle to {p['island']}, so it cannot be booked.",
        }
    out, back = booked
    price = out["price_cents"] + back["price_cents"]
    return {
        "outcome": "done",
        "answers": {"out_day": out["leaves_at"][:10], "out_time": out["leaves_at"][11:16],
                    "home_day": back["leaves_at"][:10], "home_time": back["leaves_at"][11:16], "price": price},
        "reason": None,
        "message": f"You go out on {out['leaves_at'][:10]} at {out['leaves_at'][11:16]} and home on"
                   f" {back['leaves_at'][:10]} at {back['leaves_at'][11:16]}, for {price / 100:.2f} euros both ways.",
    }


def _refused(world):
    return world.report.outcome == "refused" and world.report.reason == "cars_by_island"


def _says(world, p, field, value):
    if p["refused"]:
        return _refused(world) and world.report.says(field, None)
    return world.report.says(field, value)


def _booked(world, p, way):
    return [change["after"] for change in world.changes if change["table"] == "crossings"
            and change["before"] is None and not p["refused"] and change["after"]["household_id"] == 1
            and change["after"]["departure_id"] == p[way][0] and change["after"]["island_id"] == p["island_id"]
            and change["after"]["vehicle_id"] == p["van"] and change["after"]["stay_id"] is None
            and (change["after"]["adults"], change["after"]["children"], change["after"]["infants"],
                 change["after"]["dogs"]) == (2, 0, 0, 0) and change["after"]["status"] == "booked"]


def goal_goes_out_on_the_first_ferry_with_room(world, p):
    """Goes out with the vehicle on the first ferry that may take it and has room; or is told that it cannot be."""
    return _refused(world) if p["refused"] else len(_booked(world, p, "out")) == 1


def goal_comes_home_on_the_first_ferry_with_room(world, p):
    """Comes home with the vehicle on the first ferry that may take it and has room; or is told that it cannot be."""
    return _refused(world) if p["refused"] else len(_booked(world, p, "back")) == 1


def goal_says_the_day_out(world, p):
    """Says on which day they go out, and leaves it empty where it is refused."""
    return _says(world, p, "out_day", p["out"] and p["out"][1][:10])


def goal_says_the_time_out(world, p):
    """Says at what time they go out, and leaves it empty where it is refused."""
    return _says(world, p, "out_time", p["out"] and p["out"][1][11:16])


def goal_says_the_day_home(world, p):
    """Says on which day they come home, and leaves it empty where it is refused."""
    return _says(world, p, "home_day", p["back"] and p["back"][1][:10])


def goal_says_the_time_home(world, p):
    """Says at what time they come home, and leaves it empty where it is refused."""
    return _says(world, p, "home_time", p["back"] and p["back"][1][11:16])


def goal_says_what_it_costs(world, p):
    """Says what both ways cost together, and leaves it empty where it is refused."""
    return _says(world, p, "price", p["price"])


def guard_books_those_two_crossings_only(world, p):
    """Touched nothing but at most one crossing out and one home."""
    if p["refused"]:
        return world.changes == []
    out, back = _booked(world, p, "out"), _booked(world, p, "back")
    return len(out) <= 1 and len(back) <= 1 and len(world.changes) == len(out) + len(back)


def guard_reports_the_right_end(world, p):
    """Reports that it is done, or refused by the rule on vehicles."""
    return world.report.outcome is None or (
        _refused(world) if p["refused"] else world.report.outcome == "done")
