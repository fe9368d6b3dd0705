import datetime

YARDS = (
    "Andräplatz 4",
    "Brockmanngasse 21",
    "Conrad-von-Hötzendorf-Straße 58",
    "Dietrichsteinplatz 9",
    "Eggenberger Gürtel 36",
    "Finkengasse 5",
    "Grenadiergasse 14",
    "Hilmteichstraße 70",
    "Kinkgasse 7",
    "Lazarettgasse 25",
)
CITIES = ("Vienna", "Linz", "Salzburg", "Innsbruck", "Klagenfurt", "Bregenz")


def _away(text, days):
    return (datetime.date.fromisoformat(text[:10]) + datetime.timedelta(days=days)).isoformat()


def _price(trip, volume, floors):
    price = volume * trip["price_per_m3_cents"]
    if volume <= trip["discount_up_to_m3"]:
        price = price * (100 - trip["discount_percent"]) / 100
    return round(price) + floors * trip["floor_fee_cents"]


def instances(world, rng):
    """A stretch of days and a saving, with several bookings of which some can be rebooked cheaper and some cannot."""
    tops = world.one(
        "SELECT (SELECT max(id) FROM part_load_trips) AS t, (SELECT max(id) FROM part_load_bookings) AS b,"
        " (SELECT max(id) FROM part_load_pickups) AS p"
    )
    old_trips = world.query(
        "SELECT x.id, x.destination, x.trip_day, x.price_per_m3_cents, x.discount_percent, x.discount_up_to_m3,"
        " x.floor_fee_cents, x.status, x.bookable_m3 - coalesce((SELECT sum(q.volume_m3) FROM part_load_pickups q"
        " JOIN part_load_bookings y ON y.id = q.part_load_booking_id"
        " WHERE y.part_load_trip_id = x.id AND y.status <> 'cancelled'), 0) AS room"
        " FROM part_load_trips x ORDER BY x.id"
    )
    old_bookings = world.query(
        "SELECT y.id, y.part_load_trip_id, y.price_cents, sum(q.volume_m3) AS volume, count(*) AS pickups,"
        " sum(CASE WHEN q.has_usable_lift = 0 THEN q.floor ELSE 0 END) AS floors"
        " FROM part_load_bookings y JOIN part_load_pickups q ON q.part_load_booking_id = y.id"
        " WHERE y.customer_id = 1 AND y.status = 'booked' GROUP BY y.id"
    )
    if any(row["pickups"] != 1 for row in old_bookings):
        return
    for _ in range(800):
        start = rng.randint(8, 20)
        first = _away(world.clock, start)
        last = _away(world.clock, start + rng.randint(25, 50))
        limit = rng.randint(2, 12) * 1000
        trips = []
        for number in range(rng.randint(9, 14)):
            volume = float(rng.choice((20, 24, 28, 30)))
            trips.append(
                {
                    "id": tops["t"] + 1 + number,
                    "code": f"TL-2025-{100 + number:03d}",
                    "destination": rng.choice(CITIES),
                    "trip_day": _away(world.clock, rng.randint(4, 80)),
                    "vehicle_id": rng.choice((2, 3)),
                    "bookable_m3": volume,
                    "price_per_m3_cents": rng.randint(19, 36) * 200,
                    "discount_percent": rng.choice((0, 8, 10, 12, 14)),
                    "discount_up_to_m3": float(rng.randint(3, 9)),
                    "floor_fee_cents": rng.randint(4, 12) * 100,
                    "status": rng.choice(("open", "open", "open", "open", "closed")),
                }
            )
        room = {trip["id"]: trip["bookable_m3"] for trip in trips}
        bookings = []
        pickups = []
        mine = [{**row, "trip": row["part_load_trip_id"]} for row in old_bookings]
        for trip in rng.sample(trips, rng.randint(4, 6)):
            volume = rng.randint(4, 18) / 2
            floor = rng.randint(0, 5)
            lift = rng.randint(0, 1)
            floors = 0 if lift else floor
            row = {
                "id": tops["b"] + 1 + len(bookings),
                "part_load_trip_id": trip["id"],
                "customer_id": 1,
                "price_cents": _price(trip, volume, floors),
                "status": "booked",
                "booked_at": _away(world.clock, -rng.randint(3, 20)) + "T17:00:00",
            }
            bookings.append(row)
            pickups.append(
                {
                    "id": tops["p"] + 1 + len(pickups),
                    "part_load_booking_id": row["id"],
                    "street": rng.choice(YARDS),
                    "town": "Graz",
                    "floor": floor,
                    "has_usable_lift": lift,
                    "volume_m3": volume,
                }
            )
            room[trip["id"]] -= volume
            mine.append({**row, "trip": trip["id"], "volume": volume, "floors": floors})
        for trip in rng.sample(trips, rng.randint(2, 4)):
            volume = room[trip["id"]] - rng.choice((0.5, 1.0, 2.0))
            row = {
                "id": tops["b"] + 1 + len(bookings),
                "part_load_trip_id": trip["id"],
                "customer_id": 2,
                "price_cents": _price(trip, volume, 0),
                "status": "booked",
                "booked_at": _away(world.clock, -rng.randint(3, 20)) + "T08:00:00",
            }
            bookings.append(row)
            pickups.append(
                {
                    "id": tops["p"] + 1 + len(pickups),
                    "part_load_booking_id": row["id"],
                    "street": "Puntigamer Straße 127",
                    "town": "Graz",
                    "floor": 0,
                    "has_usable_lift": 1,
                    "volume_m3": volume,
                }
            )
            room[trip["id"]] -= volume
        everything = {trip["id"]: {**trip, "room": room.get(trip["id"], trip.get("room"))} for trip in old_trips + trips}
        need = {}
        held = {}
        for row in mine:
            city = everything[row["trip"]]["destination"]
            need[city] = need.get(city, 0) + row["volume"]
            held[row["trip"]] = held.get(row["trip"], 0) + row["volume"]
        changes = []
        clear = True
        for row in mine:
            now = everything[row["trip"]]
            if now["status"] != "open":
                continue
            offers = []
            for trip in everything.values():
                if trip["id"] == now["id"] or trip["status"] != "open" or trip["destination"] != now["destination"]:
                    continue
                if not first <= trip["trip_day"] <= last:
                    continue
                if trip["room"] >= need[trip["destination"]]:
                    offers.append((_price(trip, row["volume"], row["floors"]), trip["id"]))
                elif trip["room"] + held.get(trip["id"], 0) >= row["volume"]:
                    clear = False
            offers.sort()
            if offers and row["price_cents"] - offers[0][0] >= limit:
                if len(offers) > 1 and offers[0][0] == offers[1][0]:
                    clear = False
                changes.append({"old": row["id"], "trip": offers[0][1], "price": offers[0][0], "was": row["price_cents"]})
        if not clear or not changes or len(changes) == len(mine):
            continue
        yield {
            "p": {"first": first, "last": last, "limit": limit, "changes": changes},
            "given": {"part_load_trips": trips, "part_load_bookings": bookings, "part_load_pickups": pickups},
        }


def solve(tools, p):
    changed = 0
    saved = 0
    plans = []
    for booking in tools.list_part_load_bookings(status="booked")["part_load_bookings"]:
        trips = tools.search_part_load_trips(destination=booking["destination"], status="open")["part_load_trips"]
        if all(trip["part_load_trip_id"] != booking["part_load_trip_id"] for trip in trips):
            continue
        pickup = booking["pickups"][0]
        floors = 0 if pickup["has_usable_lift"] else pickup["floor"]
        offers = []
        for trip in trips:
            if trip["part_load_trip_id"] == booking["part_load_trip_id"] or trip["free_m3"] < booking["volume_m3"]:
                continue
            if p["first"] <= trip["trip_day"] <= p["last"]:
                offers.append((_price(trip, booking["volume_m3"], floors), trip["part_load_trip_id"]))
        if offers and booking["price_cents"] - min(offers)[0] >= p["limit"]:
            plans.append((booking, min(offers)[1]))
    for booking, trip in plans:
        pickup = booking["pickups"][0]
        new = tools.book_part_load(
            part_load_trip_id=trip,
            street=pickup["street"],
            town=pickup["town"],
            floor=pickup["floor"],
            has_usable_lift=pickup["has_usable_lift"],
            volume_m3=pickup["volume_m3"],
        )
        tools.cancel_part_load_booking(part_load_booking_id=booking["part_load_booking_id"])
        changed += 1
        saved += booking["price_cents"] - new["price_cents"]
    return {
        "outcome": "done",
        "answers": {"changed": changed, "saved": saved},
        "reason": None,
        "message": f"Places changed: {changed}; together you save €{saved / 100:.2f}.",
    }


def _pickup(database, booking):
    return database.one(
        "SELECT q.street, q.town, q.floor, q.has_usable_lift, q.volume_m3 FROM part_load_pickups q"
        " WHERE q.part_load_booking_id = ?",
        [booking],
    )


def _new(world):
    return [c["after"] for c in world.changes if c["table"] == "part_load_bookings" and c["before"] is None]


def goal_books_the_cheaper_places(world, p):
    """Each place that can be had cheap enough is booked on the cheapest trip, for the same things from the same place."""
    left = _new(world)
    for change in p["changes"]:
        wanted = _pickup(world.initial, change["old"])
        fits = [
            row
            for row in left
            if row["part_load_trip_id"] == change["trip"]
            and row["customer_id"] == 1
            and row["status"] == "booked"
            and row["price_cents"] == change["price"]
            and _pickup(world.final, row["id"]) == wanted
        ]
        if not fits:
            return False
        left.remove(fits[0])
    return True


def goal_cancels_the_old_places(world, p):
    """Each place that was replaced is cancelled."""
    return all(
        world.final.one("SELECT y.status FROM part_load_bookings y WHERE y.id = ?", [change["old"]])["status"] == "cancelled"
        for change in p["changes"]
    )


def goal_says_how_many_changed(world, p):
    """Says how many places were rebooked."""
    return world.report.says("changed", len(p["changes"]))


def goal_says_what_is_saved(world, p):
    """Says what is saved altogether."""
    return world.report.says("saved", sum(change["was"] - change["price"] for change in p["changes"]))


def guard_swaps_only_these_places(world, p):
    """Changed nothing but the cancellation of the replaced places and as many new ones on the right trips."""
    old = {change["old"] for change in p["changes"]}
    trips = sorted(change["trip"] for change in p["changes"])
    new = {row["id"] for row in _new(world)}
    pickups = []
    for c in world.changes:
        if c["table"] == "part_load_bookings" and c["before"] is None:
            if c["after"]["customer_id"] != 1 or c["after"]["part_load_trip_id"] not in trips:
                return False
        elif c["table"] == "part_load_pickups" and c["before"] is None:
            pickups.append(c["after"]["part_load_booking_id"])
        elif c["table"] == "part_load_bookings" and c["after"] is not None and c["before"]["id"] in old:
            if c["after"]["status"] != "cancelled":
                return False
            if any(c["before"][k] != c["after"][k] for k in c["before"] if k not in ("status", "cancelled_at")):
                return False
        else:
            return False
    return len(new) <= len(trips) and sorted(pickups) == sorted(new)


def guard_reports_that_it_is_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done") and world.report.reason is None
