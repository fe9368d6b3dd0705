import datetime

FIRST_FREE_NAMES = ("Hakala", "Engström", "Pitkänen", "Rosenqvist", "Vainio", "Lindqvist", "Saarinen", "Holmberg",
                    "Kettunen", "Nyholm", "Mustonen", "Wallin")


def _shift(text, days):
    return (datetime.date.fromisoformat(text) + datetime.timedelta(days=days)).isoformat()


def _between(first, last):
    return (datetime.date.fromisoformat(last) - datetime.date.fromisoformat(first)).days


def _may_hold(world):
    """How many nights more the household may hold in the season."""
    used = 0
    for row in world.query(
            "SELECT f.booked_at, f.arrives_on, f.leaves_on, f.status, f.cancelled_by, f.cancelled_at, f.resold"
            " FROM stays f WHERE f.household_id = 1 AND f.status <> 'lapsed' AND f.split_from_stay_id IS NULL"
            " ORDER BY f.arrives_on, f.id"):
        lost = row["status"] == "cancelled"
        if lost and (row["cancelled_by"] == "desk" or row["resold"]
                     or _between(row["cancelled_at"][:10], row["arrives_on"]) >= 14):
            continue
        if row["booked_at"] >= _shift(row["arrives_on"], -3) + "T00:00:00":
            continue
        used += _between(row["arrives_on"], row["leaves_on"])
    return 21 - used


def instances(world, rng):
    """A cabin that is booked out for weeks but for short gaps, and the first nights on which it is free, or none."""
    cabins = world.query(
        "SELECT c.id, c.name FROM cabins c JOIN islands i ON i.id = c.island_id WHERE i.car_access <> 'any'"
        " AND c.has_ramp = 0 ORDER BY c.name, c.id")
    stood = world.query(
        "SELECT f.household_id, f.cabin_id, f.arrives_on, f.leaves_on FROM stays f"
        " WHERE f.status NOT IN ('cancelled', 'lapsed') ORDER BY f.cabin_id, f.arrives_on")
    stood += [{"household_id": 0, "cabin_id": row["cabin_id"], "arrives_on": row["closes_on"],
               "leaves_on": row["reopens_on"]} for row in world.query(
                   "SELECT z.cabin_id, z.closes_on, z.reopens_on FROM closures z ORDER BY z.cabin_id, z.closes_on")]
    price = world.one(
        "SELECT t.cabin_other_cents AS night FROM tariffs t WHERE t.name = (SELECT CASE WHEN h.standing = 'ordinary'"
        " THEN 'ordinary' ELSE 'resident' END FROM households h WHERE h.id = 1)")["night"]
    top = world.one(
        "SELECT (SELECT max(id) FROM households) AS household, (SELECT max(id) FROM stays) AS stay,"
        " (SELECT max(id) FROM payments) AS payment")
    waiting = [(row["cabin_id"], row["arrives_on"]) for row in world.query(
        "SELECT w.cabin_id, w.arrives_on FROM waiting_list_entries w WHERE w.household_id = 1 ORDER BY w.id")]
    year, today = world.clock[:4], world.clock[:10]
    most = min(4, _may_hold(world))
    start = max(_shift(today, 3), year + "-08-10")
    mine = [row for row in stood if row["household_id"] == 1]
    for _ in range(2000):
        if most < 2:
            return
        cabin, nights = rng.choice(cabins), rng.randint(2, most)
        first = _shift(start, rng.randint(0, 6))
        away = rng.randint(17, 26)
        none = rng.random() < 0.2
        last = min(_shift(first, away + nights + rng.randint(0, 5)), year + "-09-30")
        target = last if none else _shift(first, away)
        if _shift(target, 0 if none else nights) > last or _between(first, last) < 20:
            continue
        here = [row for row in stood if row["cabin_id"] == cabin["id"]]
        blocks, day = [], first
        while day < target:
            holding = [row for row in here if row["arrives_on"] <= day < row["leaves_on"]]
            if holding:
                day = holding[0]["leaves_on"]
                continue
            ahead = [row["arrives_on"] for row in here if row["arrives_on"] > day] + [target]
            room = _between(day, min(ahead))
            if room < 2:
                day = min(ahead)
                continue
            if blocks and rng.random() < 0.3 and room > 2 and blocks[-1][1] == day:
                day = _shift(day, 1)
                continue
            long = rng.randint(2, min(6, room))
            if room - long == 1 and room <= 6:
                long = room
            blocks.append((day, _shift(day, long)))
            day = _shift(day, long)
        spans = [(row["arrives_on"], row["leaves_on"]) for row in here] + blocks
        free = [one for one in (_shift(first, number) for number in range(_between(first, last) - nights + 1))
                if not any(a < _shift(one, nights) and b > one for a, b in spans)]
        if none != (not free) or len(blocks) > len(FIRST_FREE_NAMES) or (cabin["id"], first) in waiting:
            continue
        if none and not any(a < _shift(first, nights) and b > first for a, b in blocks):
            continue
        if free and (_between(first, free[0]) < 17 or any(
                row["arrives_on"] < _shift(free[0], nights) and row["leaves_on"] > free[0] for row in mine)):
            continue
        names = rng.sample(FIRST_FREE_NAMES, len(blocks))
        stays, payments = [], []
        for number, (a, b) in enumerate(blocks):
            stay_id, cents = top["stay"] + 1 + number, 7200 * _between(a, b)
            booked = _shift(today, -70 - 2 * number)
            paid = _between(today, a) <= 31
            stays.append({
                "id": stay_id, "code": f"ST-{32000 + stay_id}", "household_id": top["household"] + 1 + number,
                "cabin_id": cabin["id"], "tariff_id": 1, "split_from_stay_id": None, "arrives_on": a, "leaves_on": b,
                "adults": 2, "children": 0, "infants": 0, "own_boat": 1, "price_cents": cents,
                "status": "paid" if paid else "deposit_paid", "booked_at": booked + "T19:20:00",
                "cancelled_at": None, "cancelled_by": None, "resold": 0})
            parts = [("deposit", cents * 3 // 10, _shift(booked, 1))]
            if paid:
                parts.append(("balance", cents - cents * 3 // 10, min(_shift(a, -32), _shift(today, -1))))
            for kind, amount, when in parts:
                payments.append({
                    "id": top["payment"] + 1 + len(payments), "household_id": top["household"] + 1 + number,
                    "stay_id": stay_id, "crossing_id": None, "sauna_turn_id": None, "mooring_booking_id": None,
                    "kind": kind, "method": "card", "amount_cents": amount, "paid_at": when + "T10:15:00"})
        yield {"p": {"cabin": cabin["name"], "nights": nights, "first": first, "last": last,
                     "cabin_id": cabin["id"], "arrives": None if none else free[0],
                     "leaves": None if none else _shift(free[0], nights), "price": price * nights},
               "given": {
                   "households": [{"id": top["household"] + 1 + number, "name": name, "standing": "ordinary",
                                   "reduced_mobility": 0} for number, name in enumerate(names)],
                   "stays": stays, "payments": payments}}


def solve(tools, p):
    arrives = p["first"]
    while _shift(arrives, p["nights"]) <= p["last"]:
        leaves = _shift(arrives, p["nights"])
        cabin = next(row for row in tools.search_cabins(arrives_on=arrives, leaves_on=leaves)["cabins"]
                     if row["name"] == p["cabin"])
        if cabin["is_free"]:
            stay = tools.book_stay(cabin_id=cabin["cabin_id"], arrives_on=arrives, leaves_on=leaves, adults=2,
                                   own_boat=1)["stay"]
            return {
                "outcome": "done",
                "answers": {"arrives": arrives, "price": stay["price_cents"]},
                "reason": None,
                "message": f"{p['cabin']} is yours from {arrives} to {leaves},"
                           f" for {stay['price_cents'] / 100:.2f} euros.",
            }
        arrives = _shift(arrives, 1)
    leaves = _shift(p["first"], p["nights"])
    tools.join_waiting_list(cabin_id=cabin["cabin_id"], arrives_on=p["first"], leaves_on=leaves, adults=2)
    return {
        "outcome": "done",
        "answers": {"arrives": None, "price": None},
        "reason": None,
        "message": f"{p['cabin']} is not free for that long in one go in those weeks, so you are on the waiting list for"
                   f" it from {p['first']} to {leaves}.",
    }


def _added(world, table):
    return [change["after"] for change in world.changes if change["table"] == table and change["before"] is None]


def _is_the_stay(world, p, row):
    return (p["arrives"] is not None and row["household_id"] == 1 and row["cabin_id"] == p["cabin_id"]
            and row["arrives_on"] == p["arrives"] and row["leaves_on"] == p["leaves"]
            and (row["adults"], row["children"], row["infants"], row["own_boat"]) == (2, 0, 0, 1)
            and row["status"] == "held")


def _is_the_entry(world, p, row):
    return (p["arrives"] is None and row["household_id"] == 1 and row["cabin_id"] == p["cabin_id"]
            and row["arrives_on"] == p["first"] and row["leaves_on"] == _shift(p["first"], p["nights"])
            and (row["adults"], row["children"], row["infants"], row["dogs"]) == (2, 0, 0, 0)
            and row["status"] == "waiting")


def goal_has_the_first_free_nights_or_waits(world, p):
    """Has the cabin for the first nights in a row on which it is free; where there are none, is on the waiting list."""
    if p["arrives"] is None:
        rows = _added(world, "waiting_list_entries")
        return len(rows) == 1 and _is_the_entry(world, p, rows[0])
    rows = _added(world, "stays")
    return len(rows) == 1 and _is_the_stay(world, p, rows[0])


def goal_says_when_they_arrive(world, p):
    """Says from what day on they have the cabin, and leaves it empty where they have not."""
    return world.report.outcome is not None and world.report.says("arrives", p["arrives"])


def goal_says_what_it_costs(world, p):
    """Says what the stay costs, and leaves it empty where there is none."""
    return world.report.outcome is not None and world.report.says(
        "price", None if p["arrives"] is None else p["price"])


def guard_adds_nothing_else(world, p):
    """Added at most that one stay, or that one entry on the waiting list, and touched nothing else."""
    stays, entries = _added(world, "stays"), _added(world, "waiting_list_entries")
    return (len(world.changes) == len(stays) + len(entries) and len(world.changes) <= 1
            and all(_is_the_stay(world, p, row) for row in stays)
            and all(_is_the_entry(world, p, row) for row in entries))


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")
