import datetime

SUMMER_JOB_GROUPS = ("Kirkonkylä school", "Pargas rowing club", "Martat of Ahvensalo", "Sibbo scouts",
                     "Meri-Teijo choir", "Folk dancers of Kimito", "Raisio birdwatchers", "Nagu youth club")


def _then(text, days):
    return (datetime.date.fromisoformat(text) + datetime.timedelta(days=days)).isoformat()


def _working_days(first, last):
    day, days = first, []
    while day <= last:
        if datetime.date.fromisoformat(day).weekday() < 5:
            days.append(day)
        day = _then(day, 1)
    return days


def instances(world, rng):
    """One or two working weeks of morning ferries out and evening ferries home, some of them taken up by a group."""
    islands = world.query("SELECT i.id, i.name FROM islands i WHERE i.opens_on < i.closes_on ORDER BY i.id DESC")
    known = {(row["leaves_at"], row["direction"]): row for row in world.query(
        "SELECT f.id, f.leaves_at, f.direction, f.places - (SELECT coalesce(sum(x.adults + x.children + x.infants), 0)"
        " FROM crossings x WHERE x.departure_id = f.id AND x.status = 'booked') AS free FROM departures f"
        " WHERE f.status = 'scheduled' ORDER BY f.direction, f.id")}
    fare = world.one(
        "SELECT y.id, y.adult_cents FROM tariffs y JOIN households o ON o.id = 1 AND (o.standing = 'ordinary')"
        " = (y.name = 'ordinary')")
    top = world.one(
        "SELECT (SELECT max(id) FROM departures) AS departure, (SELECT max(id) FROM crossings) AS crossing,"
        " (SELECT max(id) FROM households) AS household, (SELECT max(id) FROM payments) AS payment")
    today, year = world.clock[:10], world.clock[:4]
    mondays = [day for day in (_then(today, n) for n in range(3, 84))
               if datetime.date.fromisoformat(day).weekday() == 0 and _then(day, 4) <= year + "-09-30"]
    for _ in range(2500):
        island, first = rng.choice(islands), rng.choice(mondays)
        first = _then(first, rng.choice((0, 0, 1, 2)))
        last = _then(first, rng.choice((4, 8, 9, 10, 11, 11)))
        if last > year + "-09-30" or datetime.date.fromisoformat(last).weekday() > 4:
            continue
        days = _working_days(first, last)
        out_time, back_time = rng.choice((("09:00", "17:30"), ("09:00", "17:30"), ("09:00", "13:00")))
        if back_time == "13:00":
            days_ok = all(datetime.date.fromisoformat(day).weekday() != 2 for day in days)
            if not days_ok:
                continue
        given = {"departures": [], "households": [], "crossings": [], "payments": []}
        ids, blocked = {}, set()
        for day in days:
            full = rng.random() < 0.25 and len(given["households"]) < 4
            which = rng.choice(("out", "back"))
            for way, time in (("out", out_time), ("back", back_time)):
                key = (f"{day}T{time}:00", way)
                if key in known:
                    number, free = known[key]["id"], known[key]["free"]
                else:
                    number, free = top["departure"] + 1 + len(given["departures"]), 48
                    given["departures"].append({
                        "id": number, "leaves_at": key[0], "direction": way, "places": 48, "deck_m": 34.0,
                        "held_m": 6.0, "shop_bottles": 0, "status": "scheduled", "entered_at": None})
                ids[(day, way)] = number
                if full and way == which:
                    index = len(given["households"])
                    home, children = top["household"] + 1 + index, free - 6
                    cents, asked = 6 * 900 + children * 400, _then(today, -12 - index) + "T10:40:00"
                    given["households"].append({"id": home, "name": SUMMER_JOB_GROUPS[(index + len(day) + int(day[8:]))
                                                                                    % len(SUMMER_JOB_GROUPS)],
                                                "standing": "ordinary", "reduced_mobility": 0})
                    given["crossings"].append({
                        "id": top["crossing"] + 1 + index, "code": f"CR-{38001 + top['crossing'] + index}",
                        "household_id": home, "departure_id": number, "island_id": islands[-1]["id"], "stay_id": None,
                        "vehicle_id": None, "tariff_id": 1, "adults": 6, "children": children, "infants": 0,
                        "dogs": 0, "price_cents": cents, "status": "booked", "booked_at": asked,
                        "cancelled_at": None})
                    given["payments"].append({
                        "id": top["payment"] + 1 + index, "household_id": home, "stay_id": None,
                        "crossing_id": top["crossing"] + 1 + index, "sauna_turn_id": None, "mooring_booking_id": None,
                        "kind": "balance", "method": "invoice", "amount_cents": cents,
                        "paid_at": asked[:14] + "55:00"})
                    blocked.add(day)
                elif free < 1:
                    blocked.add(day)
        good = [day for day in days if day not in blocked]
        if not blocked or len(good) < 3:
            continue
        yield {"p": {"island": island["name"], "first": first, "last": last, "out_time": out_time,
                     "back_time": back_time, "island_id": island["id"], "days": good,
                     "ferries": [ids[(day, way)] for day in good for way in ("out", "back")],
                     "cost": 2 * len(good) * fare["adult_cents"]},
               "given": {table: rows for table, rows in given.items() if rows}}


def solve(tools, p):
    island = next(row for row in tools.list_islands()["islands"] if row["name"] == p["island"])["island_id"]
    ferries = {(row["leaves_at"], row["direction"]): row for row in tools.list_departures(
        first_day=p["first"], last_day=p["last"])["departures"] if row["status"] == "scheduled"}
    days, cost = [], 0
    for day in _working_days(p["first"], p["last"]):
        pair = [ferries.get((f"{day}T{p['out_time']}:00", "out")), ferries.get((f"{day}T{p['back_time']}:00", "back"))]
        if any(row is None or row["free_places"] < 1 for row in pair):
            continue
        for row in pair:
            cost += tools.book_crossing(departure_id=row["departure_id"], island_id=island,
                                        adults=1)["crossing"]["price_cents"]
        days.append(day)
    return {
        "outcome": "done",
        "answers": {"days": days, "cost": cost},
        "reason": None,
        "message": f"There and back is booked on {', '.join(days)}, for {cost / 100:.2f} euros altogether.",
    }


def _new(world):
    return [change["after"] for change in world.changes
            if change["table"] == "crossings" and change["before"] is None]


def goal_has_both_ways_on_every_day_it_can(world, p):
    """Has one place out and one home on every working day on which both ferries have room."""
    return sorted(row["departure_id"] for row in _new(world)) == sorted(p["ferries"])


def goal_says_on_which_days(world, p):
    """Says on which days the crossings are booked."""
    return world.report.says("days", p["days"])


def goal_says_what_it_costs(world, p):
    """Says what all the crossings cost."""
    return world.report.says("cost", p["cost"])


def guard_books_nothing_else(world, p):
    """Touched nothing but those crossings of one adult, each once."""
    rows = _new(world)
    return (len(world.changes) == len(rows) and len({row["departure_id"] for row in rows}) == len(rows)
            and all(row["household_id"] == 1 and row["departure_id"] in p["ferries"]
                    and row["island_id"] == p["island_id"] and row["stay_id"] is None and row["vehicle_id"] is None
                    and (row["adults"], row["children"], row["infants"], row["dogs"]) == (1, 0, 0, 0)
                    and row["status"] == "booked" for row in rows))


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")
