import datetime

GAS_FERRY_TIMES = ("09:00", "13:00", "17:30")


def _later(text, days):
    return (datetime.date.fromisoformat(text) + datetime.timedelta(days=days)).isoformat()


def _room_in_season(world):
    """How many more nights the household may hold this season."""
    room = 21
    for row in world.query(
            "SELECT g.status, g.arrives_on AS first, g.leaves_on AS last, g.booked_at, g.cancelled_at, g.cancelled_by,"
            " g.resold FROM stays g WHERE g.household_id = 1 AND g.status <> 'lapsed'"
            " AND g.split_from_stay_id IS NULL ORDER BY g.id"):
        first = datetime.date.fromisoformat(row["first"])
        if row["status"] == "cancelled":
            gone = datetime.date.fromisoformat(row["cancelled_at"][:10])
            if row["cancelled_by"] == "desk" or row["resold"] or (first - gone).days >= 14:
                continue
        if row["booked_at"] >= _later(row["first"], -3) + "T00:00:00":
            continue
        room -= (datetime.date.fromisoformat(row["last"]) - first).days
    return room


def instances(world, rng):
    """A trip by ferry with the car, bottles that fit on that ferry or on another one that day, or too much of it."""
    cabins = world.query(
        "SELECT c.id, c.name, c.island_id FROM cabins c JOIN islands i ON i.id = c.island_id"
        " WHERE i.car_access = 'any' AND c.has_ramp = 0 ORDER BY c.name")
    busy = world.query(
        "SELECT g.household_id, g.cabin_id, g.arrives_on, g.leaves_on FROM stays g"
        " WHERE g.status IN ('held', 'deposit_paid', 'paid', 'arrived', 'left') ORDER BY g.arrives_on, g.id")
    shut = world.query("SELECT k.cabin_id, k.closes_on, k.reopens_on FROM closures k ORDER BY k.closes_on, k.id")
    sailing = {row["day"] for row in world.query(
        "SELECT DISTINCT substr(d.leaves_at, 1, 10) AS day FROM departures d ORDER BY day")}
    prices = world.one(
        "SELECT t.* FROM households h, tariffs t WHERE h.id = 1"
        " AND t.name = CASE h.standing WHEN 'ordinary' THEN 'ordinary' ELSE 'resident' END")
    car = world.one("SELECT v.id, v.length_m FROM vehicles v WHERE v.household_id = 1 AND v.length_m <= 5"
                    " ORDER BY v.id LIMIT 1")
    top = world.one(
        "SELECT (SELECT max(id) FROM stays) AS stay, (SELECT max(id) FROM crossings) AS crossing,"
        " (SELECT max(id) FROM departures) AS departure")
    year, today = world.clock[:4], world.clock[:10]
    span = [_later(max(_later(today, 4), year + "-08-10"), number) for number in range(50)]
    days = [day for day in span if day <= year + "-09-27" and day != year + "-08-29" and day not in sailing
            and datetime.date.fromisoformat(day).weekday() not in (2, 6)]
    for _ in range(2000):
        arrives = rng.choice(days)
        leaves = _later(arrives, rng.randint(2, max(2, min(4, _room_in_season(world)))))
        cabin = rng.choice(cabins)
        if leaves in sailing or leaves not in days:
            continue
        if any(row["arrives_on"] < leaves and row["leaves_on"] > arrives
               and (row["cabin_id"] == cabin["id"] or row["household_id"] == 1) for row in busy):
            continue
        if any(row["cabin_id"] == cabin["id"] and row["closes_on"] < leaves and row["reopens_on"] > arrives
               for row in shut):
            continue
        time = rng.choice(GAS_FERRY_TIMES)
        kind = rng.choice(("stay", "stay", "move", "move", "move", "refused"))
        bottles, kilos, litres = 2, rng.choice((2, 3, 5)), rng.choice((5, 10))
        shop = {one: rng.choice((0, 1, 2, 3, 4)) for one in GAS_FERRY_TIMES}
        if kind == "move":
            for one in GAS_FERRY_TIMES:
                shop[one] = rng.choice((2, 3, 4, 5, 5, 6))
            shop[time] = rng.choice((5, 5, 6))
        elif kind == "refused":
            shop[time] = rng.choice((0, 1, 2))
            wrong = rng.choice(("bottles", "litres"))
            bottles = 3 if wrong == "bottles" else 2
            litres = rng.choice((15, 20)) if wrong == "litres" else litres
        fits = [one for one in GAS_FERRY_TIMES if shop[one] + 2 <= 6]
        if not fits:
            continue
        right = time if time in fits else fits[0]
        ids = {(day, one, way): top["departure"] + 1 + number for number, (day, one, way) in enumerate(
            [(arrives, one, way) for one in GAS_FERRY_TIMES for way in ("out", "back")]
            + [(leaves, "13:00", way) for way in ("out", "back")])}
        asked = _later(today, -1) + "T18:30:00"
        stay_id, out_id = top["stay"] + 1, top["crossing"] + 1
        nights = (datetime.date.fromisoformat(leaves) - datetime.date.fromisoformat(arrives)).days
        fare = 2 * prices["adult_cents"] + prices["car_cents"]
        given = {
            "departures": [{
                "id": number, "leaves_at": f"{day}T{one}:00", "direction": way, "places": 48, "deck_m": 34.0,
                "held_m": 6.0, "shop_bottles": shop[one] if day == arrives and way == "out" else 0,
                "status": "scheduled", "entered_at": None} for (day, one, way), number in ids.items()],
            "stays": [{
                "id": stay_id, "code": f"ST-{31000 + stay_id}", "household_id": 1, "cabin_id": cabin["id"],
                "tariff_id": prices["id"], "split_from_stay_id": None, "arrives_on": arrives, "leaves_on": leaves,
                "adults": 2, "children": 0, "infants": 0, "own_boat": 0,
                "price_cents": nights * prices["cabin_other_cents"], "status": "held", "booked_at": asked,
                "cancelled_at": None, "cancelled_by": None, "resold": 0}],
            "crossings": [{
                "id": out_id + number, "code": f"CR-{31000 + out_id + number}", "household_id": 1,
                "departure_id": ids[key], "island_id": cabin["island_id"], "stay_id": stay_id,
                "vehicle_id": car["id"], "tariff_id": prices["id"], "adults": 2, "children": 0, "infants": 0,
                "dogs": 0, "price_cents": fare, "status": "booked", "booked_at": asked, "cancelled_at": None}
                for number, key in enumerate([(arrives, time, "out"), (leaves, "13:00", "back")])],
        }
        instance = {"p": {"cabin": cabin["name"], "day": arrives, "bottles": bottles, "kilos": kilos,
                          "litres": litres, "crossing": out_id, "departure": ids[(arrives, right, "out")],
                          "time": right, "refused": kind == "refused"}, "given": given}
        if kind == "refused":
            instance["kind"], instance["rule"] = "refusal", "gas_report"
        yield instance


def solve(tools, p):
    stay = next(row for row in tools.list_stays(first_day=p["day"])["stays"]
                if row["cabin_name"] == p["cabin"] and row["arrives_on"] == p["day"]
                and row["status"] not in ("cancelled", "lapsed"))
    out = next(row for row in tools.list_crossings(status="booked", stay_id=stay["stay_id"])["crossings"]
               if row["direction"] == "out")
    ferries = tools.list_departures(first_day=p["day"], last_day=p["day"], direction="out")["departures"]
    leaves_at = out["leaves_at"]
    try:
        if p["litres"] > 10:
            tools.report_dangerous_item(crossing_id=out["crossing_id"], kind="petrol", litres=p["litres"])
        own = next(row for row in ferries if row["departure_id"] == out["departure_id"])
        if p["bottles"] <= 2 and own["free_bottles"] < p["bottles"]:
            other = next(row for row in ferries if row["free_bottles"] >= p["bottles"])
            leaves_at = tools.move_crossing(crossing_id=out["crossing_id"],
                                            departure_id=other["departure_id"])["crossing"]["leaves_at"]
        tools.report_dangerous_item(crossing_id=out["crossing_id"], kind="gas_bottle", bottles=p["bottles"],
                                    kg_each=p["kilos"])
        tools.report_dangerous_item(crossing_id=out["crossing_id"], kind="petrol", litres=p["litres"])
    except tools.Error:
        return {
            "outcome": "refused",
            "answers": {"leaves": None},
            "reason": "gas_report",
            "message": "That cannot go on the ferry: for a crossing at most 2 gas bottles of at most 11 kg and at most"
                       " 10 litres of petrol may be reported.",
        }
    return {
        "outcome": "done",
        "answers": {"leaves": leaves_at[11:16]},
        "reason": None,
        "message": f"Your bottles and the petrol are reported, and you leave at {leaves_at[11:16]}.",
    }


def _refused(world):
    return world.report.outcome == "refused" and world.report.reason == "gas_report"


def _items(world, kind):
    return [change["after"] for change in world.changes if change["table"] == "dangerous_items"
            and change["before"] is None and change["after"]["kind"] == kind]


def _on_the_right_ferry(world, p):
    return world.final.one("SELECT departure_id FROM crossings WHERE id = ? AND status = 'booked'",
                           [p["crossing"]])["departure_id"] == p["departure"]


def goal_takes_the_bottles_on_the_right_ferry(world, p):
    """Travels on a ferry that takes the bottles, with both of them reported; or is told that it cannot be."""
    if p["refused"]:
        return _refused(world)
    rows = _items(world, "gas_bottle")
    return (_on_the_right_ferry(world, p) and sum(row["bottles"] for row in rows) == p["bottles"]
            and all(row["crossing_id"] == p["crossing"] and row["kg_each"] == p["kilos"]
                    and row["status"] == "reported" for row in rows))


def goal_reports_the_petrol(world, p):
    """The petrol is reported for the crossing; or it is told that it cannot be."""
    if p["refused"]:
        return _refused(world)
    rows = _items(world, "petrol")
    return len(rows) == 1 and rows[0]["crossing_id"] == p["crossing"] and rows[0]["litres"] == p["litres"]


def goal_says_when_they_leave(world, p):
    """Says at what time they leave, and leaves it empty where it is refused."""
    if p["refused"]:
        return _refused(world) and world.report.says("leaves", None)
    return world.report.says("leaves", p["time"])


def guard_moves_that_crossing_only(world, p):
    """Changed no row but that crossing, and in it only the departure, to the right one."""
    old = [change for change in world.changes if change["before"] is not None]
    return all(
        not p["refused"] and change["table"] == "crossings" and change["after"] is not None
        and change["before"]["id"] == p["crossing"] and change["after"]["departure_id"] == p["departure"]
        and all(change["after"][column] == value for column, value in change["before"].items()
                if column != "departure_id") for change in old)


def guard_reports_nothing_else(world, p):
    """Added nothing but those bottles and that petrol."""
    new = [change for change in world.changes if change["before"] is None]
    gas, petrol = _items(world, "gas_bottle"), _items(world, "petrol")
    return (len(new) == len(gas) + len(petrol) and (not new or not p["refused"])
            and sum(row["bottles"] for row in gas) <= p["bottles"] and len(petrol) <= 1
            and all(row["household_id"] == 1 and row["crossing_id"] == p["crossing"] and row["kg_each"] == p["kilos"]
                    for row in gas)
            and all(row["household_id"] == 1 and row["crossing_id"] == p["crossing"] and row["litres"] == p["litres"]
                    for row in petrol))


def guard_reports_the_right_end(world, p):
    """Reports that it is done, or refused by the rule on gas and petrol."""
    return world.report.outcome is None or (
        _refused(world) if p["refused"] else world.report.outcome == "done")
