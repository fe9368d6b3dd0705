import datetime

SAUNA_EVENINGS_NAMES = ("Kankaanpää", "Ström", "Ahonen", "Björklund", "Niskanen", "Fagerholm", "Tuomi", "Ekman")


def _day(text, more=0):
    return (datetime.date.fromisoformat(text) + datetime.timedelta(days=more)).isoformat()


def _nights(first, last):
    count = (datetime.date.fromisoformat(last) - datetime.date.fromisoformat(first)).days
    return [_day(first, number) for number in range(count)]


def _season_left(world):
    """How many nights the household may still hold this season."""
    counted = 0
    for row in world.query(
            "SELECT n.arrives_on, n.leaves_on, n.status, n.booked_at, n.cancelled_at, n.cancelled_by, n.resold"
            " FROM stays n WHERE n.household_id = 1 AND n.split_from_stay_id IS NULL AND n.status <> 'lapsed'"
            " ORDER BY n.id"):
        if row["status"] == "cancelled" and (
                row["cancelled_by"] == "desk" or row["resold"]
                or len(_nights(row["cancelled_at"][:10], row["arrives_on"])) >= 14):
            continue
        if row["booked_at"] >= _day(row["arrives_on"], -3) + "T00:00:00":
            continue
        counted += len(_nights(row["arrives_on"], row["leaves_on"]))
    return 21 - counted


def instances(world, rng):
    """A held stay of two nights or more reached by own boat, and evenings on which the sauna is free, late or gone."""
    cabins = world.query(
        "SELECT c.id, c.name, c.island_id, c.beds, s.id AS sauna_id, s.name AS sauna FROM cabins c"
        " JOIN saunas s ON s.island_id = c.island_id JOIN islands i ON i.id = c.island_id"
        " WHERE i.car_access <> 'any' ORDER BY c.id")
    kept = world.query(
        "SELECT n.household_id, n.cabin_id, n.arrives_on, n.leaves_on FROM stays n"
        " WHERE n.status NOT IN ('lapsed', 'cancelled') ORDER BY n.id")
    shut = world.query("SELECT x.cabin_id, x.closes_on, x.reopens_on FROM closures x ORDER BY x.id")
    prices = world.one(
        "SELECT t.id, t.cabin_other_cents, t.sauna_turn_cents FROM tariffs t JOIN households h"
        " ON t.name = CASE WHEN h.standing = 'ordinary' THEN 'ordinary' ELSE 'resident' END WHERE h.id = 1")
    top = world.one(
        "SELECT (SELECT max(id) FROM stays) AS stay, (SELECT max(id) FROM sauna_turns) AS turn,"
        " (SELECT max(id) FROM households) AS household")
    taken = {(row["sauna_id"], row["starts_at"]) for row in world.query(
        "SELECT t.sauna_id, t.starts_at FROM sauna_turns t WHERE t.status = 'booked' ORDER BY t.id")}
    most = min(5, _season_left(world))
    first = max(_day(world.clock[:10], 5), world.clock[:4] + "-08-10")
    days = _nights(first, world.clock[:4] + "-09-26")
    for _ in range(1500):
        if most < 2:
            return
        cabin, arrives = rng.choice(cabins), rng.choice(days)
        leaves = _day(arrives, rng.randint(2, most))
        if leaves > world.clock[:4] + "-09-30":
            continue
        if any(row["arrives_on"] < leaves and row["leaves_on"] > arrives
               and (row["cabin_id"] == cabin["id"] or row["household_id"] == 1) for row in kept):
            continue
        if any(row["cabin_id"] == cabin["id"] and row["closes_on"] < leaves and row["reopens_on"] > arrives
               for row in shut):
            continue
        evenings = _nights(arrives, leaves)
        times = ["18:00", "20:00"]
        rng.shuffle(times)
        slots = [(day, time) for day in evenings for time in times]
        if any((cabin["sauna_id"], f"{day}T{time}:00") in taken for day, time in slots):
            continue
        gone = []
        for day in evenings:
            gone += [(day, time) for time in times[:rng.choice((0, 0, 1, 1, 2))]]
        right = {}
        for day in evenings:
            for time in times:
                if (day, time) not in gone and day not in right:
                    right[day] = time
        if not right or not gone:
            continue
        asked = _day(world.clock[:10], -1) + rng.choice(("T12:20:00", "T17:45:00", "T20:10:00"))
        names = rng.sample(SAUNA_EVENINGS_NAMES, 3)
        homes = [top["household"] + 1 + number for number in range(3)]
        stay_id = top["stay"] + 1
        given = {
            "households": [{"id": home, "name": name, "standing": "ordinary", "reduced_mobility": 0}
                           for home, name in zip(homes, names)],
            "stays": [{
                "id": stay_id, "code": f"ST-{30000 + stay_id}", "household_id": 1, "cabin_id": cabin["id"],
                "tariff_id": prices["id"], "split_from_stay_id": None, "arrives_on": arrives, "leaves_on": leaves,
                "adults": 2, "children": 0, "infants": 0, "own_boat": 1,
                "price_cents": prices["cabin_other_cents"] * len(evenings), "status": "held", "booked_at": asked,
                "cancelled_at": None, "cancelled_by": None, "resold": 0}],
            "sauna_turns": [{
                "id": top["turn"] + 1 + number, "household_id": homes[(number + len(day)) % 3],
                "sauna_id": cabin["sauna_id"], "stay_id": None, "tariff_id": 1, "starts_at": f"{day}T{time}:00",
                "price_cents": 3000, "status": "booked",
                "booked_at": _day(world.clock[:10], -3 - number) + "T11:05:00", "moved_at": None,
                "cancelled_at": None} for number, (day, time) in enumerate(gone)],
        }
        yield {"p": {"cabin": cabin["name"], "arrives": arrives, "sauna": cabin["sauna"], "time": times[0],
                     "other_time": times[1], "stay": stay_id, "sauna_id": cabin["sauna_id"],
                     "right": [f"{day}T{time}:00" for day, time in sorted(right.items())],
                     "each": prices["sauna_turn_cents"]},
               "given": given}


def solve(tools, p):
    stay = next(row for row in tools.list_stays(first_day=p["arrives"])["stays"]
                if row["cabin_name"] == p["cabin"] and row["arrives_on"] == p["arrives"]
                and row["status"] not in ("cancelled", "lapsed"))
    evenings, cost = [], 0
    for day in _nights(stay["arrives_on"], stay["leaves_on"]):
        free = {row["starts_at"]: row for row in tools.search_sauna_turns(day=day)["sauna_turns"]
                if row["sauna_name"] == p["sauna"]}
        for time in (p["time"], p["other_time"]):
            turn = free.get(f"{day}T{time}:00")
            if turn is not None:
                tools.book_sauna_turn(sauna_id=turn["sauna_id"], starts_at=turn["starts_at"],
                                      stay_id=stay["stay_id"])
                evenings.append(day)
                cost += turn["price_cents"]
                break
    return {
        "outcome": "done",
        "answers": {"evenings": evenings, "cost": cost},
        "reason": None,
        "message": f"The {p['sauna']} is yours on {', '.join(evenings)}, for {cost / 100:.2f} euros altogether.",
    }


def _new(world):
    return [change["after"] for change in world.changes
            if change["table"] == "sauna_turns" and change["before"] is None]


def goal_has_the_sauna_on_every_evening_it_can(world, p):
    """Has one turn on each evening on which one of the two hours was free, at the hour that was liked better."""
    return sorted(row["starts_at"] for row in _new(world) if row["sauna_id"] == p["sauna_id"]
                  and row["stay_id"] == p["stay"] and row["status"] == "booked") == p["right"]


def goal_says_which_evenings(world, p):
    """Says on which evenings there is a turn."""
    return world.report.says("evenings", [start[:10] for start in p["right"]])


def goal_says_what_it_costs(world, p):
    """Says what the turns cost together."""
    return world.report.says("cost", p["each"] * len(p["right"]))


def guard_books_no_other_turn(world, p):
    """Added nothing but turns of that sauna for that stay at the right hours, each once."""
    starts = [row["starts_at"] for row in _new(world)]
    return (len(world.changes) == len(starts) and len(set(starts)) == len(starts)
            and all(row["household_id"] == 1 and row["sauna_id"] == p["sauna_id"] and row["stay_id"] == p["stay"]
                    and row["status"] == "booked" and row["starts_at"] in p["right"] for row in _new(world)))


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")
