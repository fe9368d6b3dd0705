import datetime

SAILING_FRIENDS_NAMES = ("Laine", "Sandberg", "Turunen", "Hellström", "Jokela", "Öhman", "Savolainen", "Grönqvist",
                         "Peltonen", "Forsman", "Kallio", "Sjöholm", "Heikkilä", "Backman", "Rinne", "Norrgård")


def _plus(text, days):
    return (datetime.date.fromisoformat(text) + datetime.timedelta(days=days)).isoformat()


def _fridays(first, last):
    """The Fridays between two days whose Sunday is not after the last one."""
    day, found = first, []
    while _plus(day, 2) <= last:
        if datetime.date.fromisoformat(day).weekday() == 4:
            found.append(day)
        day = _plus(day, 1)
    return found


def _good(cabins, stays, moorings, berths, fridays, people, length):
    """The Fridays on which a cabin with enough beds and a mooring that is long enough are free until Sunday."""
    good = []
    for friday in fridays:
        sunday = _plus(friday, 2)
        houses = [c["id"] for c in cabins if c["beds"] >= people and not any(
            s["cabin_id"] == c["id"] and s["first"] < sunday and s["last"] > friday for s in stays)]
        places = [m["id"] for m in moorings if m["max_length_m"] >= length and not any(
            b["mooring_id"] == m["id"] and b["arrives_on"] < sunday and b["leaves_on"] > friday for b in berths)]
        if houses and places:
            good.append(friday)
    return good


def instances(world, rng):
    """Friends with a big boat who want a weekend on an island where cabins and moorings are short."""
    islands = world.query("SELECT i.id, i.name FROM islands i WHERE EXISTS"
                          " (SELECT 1 FROM moorings m WHERE m.island_id = i.id) ORDER BY i.name")
    all_cabins = world.query("SELECT c.id, c.island_id, c.beds FROM cabins c WHERE c.has_ramp = 0 ORDER BY c.id")
    all_moorings = world.query("SELECT m.id, m.island_id, m.max_length_m FROM moorings m ORDER BY m.id")
    stays = world.query(
        "SELECT w.cabin_id, w.arrives_on AS first, w.leaves_on AS last FROM stays w"
        " WHERE w.status NOT IN ('lapsed', 'cancelled')"
        " UNION ALL SELECT cabin_id, closes_on, reopens_on FROM closures ORDER BY 1, 2")
    berths = world.query("SELECT b.mooring_id, b.arrives_on, b.leaves_on FROM mooring_bookings b"
                         " WHERE b.status = 'booked' ORDER BY b.id")
    top = world.one(
        "SELECT (SELECT max(id) FROM households) AS household, (SELECT max(id) FROM stays) AS stay,"
        " (SELECT max(id) FROM payments) AS payment, (SELECT max(id) FROM mooring_bookings) AS berth")
    year, today = world.clock[:4], world.clock[:10]
    start = max(_plus(today, 3), year + "-08-10")
    for _ in range(1500):
        island = rng.choice(islands)
        cabins = [c for c in all_cabins if c["island_id"] == island["id"]]
        moorings = [m for m in all_moorings if m["island_id"] == island["id"]]
        longest = max(m["max_length_m"] for m in moorings)
        length = round(rng.uniform(longest - 1.9, longest - 0.1), 1)
        people = rng.choice((2, 3, 3, 4, 4))
        first = _plus(start, rng.randint(0, 6))
        last = _plus(first, rng.randint(27, 46))
        last = min(last, year + "-09-28")
        fridays = _fridays(first, last)
        if len(fridays) < 4 or not any(c["beds"] >= people for c in cabins):
            continue
        new_stays, new_berths = [], []
        for friday in fridays:
            draw = rng.random()
            a, b = _plus(friday, -rng.randint(0, 1)), _plus(friday, rng.randint(2, 3))
            if draw < 0.35:
                for c in cabins:
                    if not any(s["cabin_id"] == c["id"] and s["first"] < b and s["last"] > a
                               for s in stays + new_stays):
                        new_stays.append({"cabin_id": c["id"], "first": a, "last": b})
            elif draw < 0.65:
                for m in moorings:
                    if m["max_length_m"] >= length and not any(
                            x["mooring_id"] == m["id"] and x["arrives_on"] < b and x["leaves_on"] > a
                            for x in berths + new_berths):
                        new_berths.append({"mooring_id": m["id"], "arrives_on": a, "leaves_on": b})
        good = _good(cabins, stays + new_stays, moorings, berths + new_berths, fridays, people, length)
        if not good or len(good) == len(fridays):
            continue
        count = len(new_stays) + len(new_berths)
        if count > len(SAILING_FRIENDS_NAMES):
            continue
        names = rng.sample(SAILING_FRIENDS_NAMES, count)
        homes = [top["household"] + 1 + number for number in range(count)]
        given = {"households": [{"id": home, "name": name, "standing": "ordinary", "reduced_mobility": 0}
                                for home, name in zip(homes, names)]}
        rows, payments = [], []
        for number, s in enumerate(new_stays):
            nights = (datetime.date.fromisoformat(s["last"]) - datetime.date.fromisoformat(s["first"])).days
            stay_id, booked = top["stay"] + 1 + number, _plus(today, -60 - number)
            rows.append({
                "id": stay_id, "code": f"ST-{33000 + stay_id}", "household_id": homes[number],
                "cabin_id": s["cabin_id"], "tariff_id": 1, "split_from_stay_id": None, "arrives_on": s["first"],
                "leaves_on": s["last"], "adults": 2, "children": 0, "infants": 0, "own_boat": 1,
                "price_cents": 7200 * nights, "status": "paid", "booked_at": booked + "T13:40:00",
                "cancelled_at": None, "cancelled_by": None, "resold": 0})
            payments.append({
                "id": top["payment"] + 1 + number, "household_id": homes[number], "stay_id": stay_id,
                "crossing_id": None, "sauna_turn_id": None, "mooring_booking_id": None, "kind": "balance",
                "method": "card", "amount_cents": 7200 * nights, "paid_at": booked + "T13:50:00"})
        given["stays"], given["payments"] = rows, payments
        given["mooring_bookings"] = []
        for number, b in enumerate(new_berths):
            nights = (datetime.date.fromisoformat(b["leaves_on"]) - datetime.date.fromisoformat(b["arrives_on"])).days
            berth_id = top["berth"] + 1 + number
            given["mooring_bookings"].append({
                "id": berth_id, "code": f"MB-{33000 + berth_id}", "household_id": homes[len(new_stays) + number],
                "mooring_id": b["mooring_id"], "tariff_id": 1,
                "boat_name": ("Aurora", "Tuuli", "Sirena", "Nordan", "Loki", "Ulappa")[number % 6],
                "boat_length_m": round(length - 0.2 * (number % 3), 1) if length > 10.5 else 10.4,
                "arrives_on": b["arrives_on"], "leaves_on": b["leaves_on"], "price_cents": 3000 * nights,
                "status": "booked", "booked_at": _plus(today, -30 - number) + "T16:05:00", "cancelled_at": None})
        given = {table: rows for table, rows in given.items() if rows}
        yield {"p": {"island": island["name"], "people": people, "length": f"{length:.1f}", "first": first,
                     "last": last}, "given": given}


def solve(tools, p):
    island = next(row for row in tools.list_islands()["islands"] if row["name"] == p["island"])["island_id"]
    good = []
    for friday in _fridays(p["first"], p["last"]):
        sunday = _plus(friday, 2)
        cabins = tools.search_cabins(arrives_on=friday, leaves_on=sunday, island_id=island,
                                     min_beds=p["people"])["cabins"]
        if any(row["is_free"] for row in cabins) and tools.search_moorings(
                arrives_on=friday, leaves_on=sunday, boat_length_m=float(p["length"]), island_id=island)["moorings"]:
            good.append(friday)
    return {
        "outcome": "done",
        "answers": {"fridays": good},
        "reason": None,
        "message": f"They could come on the weekends from {', '.join(good)}.",
    }


def goal_says_on_which_weekends(world, p):
    """Names exactly the Fridays on which both a cabin and a mooring are free until Sunday."""
    cabins = world.initial.query(
        "SELECT c.id, c.beds FROM cabins c JOIN islands i ON i.id = c.island_id WHERE i.name = ?", [p["island"]])
    stays = world.initial.query(
        "SELECT cabin_id, arrives_on AS first, leaves_on AS last FROM stays WHERE status NOT IN ('lapsed', 'cancelled')"
        " UNION ALL SELECT cabin_id, closes_on, reopens_on FROM closures")
    moorings = world.initial.query(
        "SELECT m.id, m.max_length_m FROM moorings m JOIN islands i ON i.id = m.island_id WHERE i.name = ?",
        [p["island"]])
    berths = world.initial.query(
        "SELECT mooring_id, arrives_on, leaves_on FROM mooring_bookings WHERE status = 'booked'")
    return world.report.says("fridays", _good(cabins, stays, moorings, berths, _fridays(p["first"], p["last"]),
                                              p["people"], float(p["length"])))


def guard_changes_nothing(world, p):
    """Changed nothing at all."""
    return world.changes == []


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")
