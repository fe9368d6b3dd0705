import datetime

CITIES = (
    ("Aarhus", "Denmark"),
    ("Gent", "Belgium"),
    ("Copenhagen", "Denmark"),
    ("Freiburg", "Germany"),
    ("Bordeaux", "France"),
    ("Vienna", "Austria"),
    ("Gothenburg", "Sweden"),
    ("Basel", "Switzerland"),
    ("Lyon", "France"),
    ("Antwerp", "Belgium"),
    ("Malmö", "Sweden"),
    ("Hamburg", "Germany"),
)
COUNTRIES = ("France", "Denmark", "Italy", "Austria", "Sweden", "Switzerland", "Norway", "Spain")
NEW_BICYCLES = (
    ("Gazelle", "Arroyo C7", "city_bicycle", 119900),
    ("Cortina", "Common", "city_bicycle", 64900),
    ("Batavus", "Harlem", "electric", 269900),
    ("Stella", "Vicenza", "electric", 229900),
    ("Sparta", "a-Lane", "electric", 289900),
    ("Union", "Boost", "city_bicycle", 45900),
)


def _last_day(clock):
    year, month = int(clock[:4]), int(clock[5:7])
    months = year * 12 + month + 1
    return datetime.date(months // 12, months % 12 + 1, 1) - datetime.timedelta(days=1)


def _bicycle(rng, model, ids, riders, policy_id, today):
    """A further bicycle of the household with lock and covers, bought in the last years."""
    make, name, kind, price = model
    bought = today - datetime.timedelta(days=rng.randint(120, 2200))
    added = (bought + datetime.timedelta(days=2)).isoformat()
    row = {
        "id": ids["bicycles"],
        "policy_id": policy_id,
        "rider_name": rng.choice(riders),
        "kind": kind,
        "make": make,
        "model": name,
        "colour": rng.choice(("black", "grey", "blue", "green")),
        "frame_number": make[:2].upper() + str(rng.randint(10000000, 99999999)) + "N",
        "first_sold_on": bought.isoformat(),
        "acquired_on": bought.isoformat(),
        "price_cents": price,
        "battery_wh": 500 if kind == "electric" else None,
        "added_at": added + "T10:20:00",
    }
    lock = {
        "id": ids["locks"],
        "bicycle_id": row["id"],
        "make": rng.choice(("Abus", "AXA")),
        "kind": "chain",
        "category": 3,
        "added_on": added,
    }
    battery = 50000 if kind == "electric" else 0
    covers = [(kind, price - battery)] + ([("battery", battery)] if battery else [])
    rows = []
    for cover_kind, value in covers:
        rate = {"city_bicycle": 80, "electric": 60, "battery": 100}[cover_kind]
        rows.append(
            {
                "id": ids["covers"] + len(rows),
                "bicycle_id": row["id"],
                "kind": cover_kind,
                "insured_value_cents": value,
                "monthly_premium_cents": value * rate // 10000,
                "starts_on": added,
                "ends_on": None,
                "cancelled_at": None,
            }
        )
    return row, lock, rows


def instances(world, rng):
    """A move shortly before the covers end, a further bicycle or two, and journeys on either side of that day."""
    today = datetime.date.fromisoformat(world.clock[:10])
    last = _last_day(world.clock)
    policy_id = world.one("SELECT p.id FROM policies p WHERE p.member_id = 1 AND p.ends_on IS NULL")["id"]
    riders = [
        row["rider_name"]
        for row in world.query("SELECT DISTINCT rider_name FROM bicycles WHERE policy_id = ? ORDER BY 1", [policy_id])
    ]
    own = world.query(
        "SELECT b.id, b.rider_name FROM bicycles b WHERE b.policy_id = ? AND EXISTS (SELECT 1 FROM covers c"
        " WHERE c.bicycle_id = b.id AND c.kind = b.kind AND c.ends_on IS NULL)"
        " AND NOT EXISTS (SELECT 1 FROM claims x JOIN covers y ON y.id = x.cover_id WHERE y.bicycle_id = b.id"
        " AND (x.kind = 'theft' OR x.repair_expected_on >= ?)) ORDER BY b.id",
        [policy_id, world.clock[:10]],
    )
    journeys = world.query(
        "SELECT b.rider_name, t.bicycle_id, t.countries, t.starts_on, t.ends_on FROM travel_notices t"
        " JOIN bicycles b ON b.id = t.bicycle_id WHERE b.policy_id = ? AND t.withdrawn_at IS NULL"
        " AND t.ends_on >= ? ORDER BY t.id",
        [policy_id, world.clock[:10]],
    )
    first_ids = {
        "bicycles": world.one("SELECT max(id) + 1 AS first_free FROM bicycles")["first_free"],
        "locks": world.one("SELECT max(id) + 1 AS first_free FROM locks")["first_free"],
        "covers": world.one("SELECT max(id) + 1 AS first_free FROM covers")["first_free"],
        "travel_notices": world.one("SELECT max(id) + 1 AS first_free FROM travel_notices")["first_free"],
    }
    while True:
        given = {"bicycles": [], "locks": [], "covers": [], "travel_notices": []}
        city, country = rng.choice(CITIES)
        day = (last - datetime.timedelta(days=rng.randint(-4, 21))).isoformat()
        if any(country in j["countries"] or j["starts_on"] <= day <= j["ends_on"] for j in journeys):
            continue
        able = [(row["id"], row["rider_name"]) for row in own]
        for model in rng.sample(NEW_BICYCLES, rng.randint(1, 2)):
            ids = {table: first + len(given[table]) for table, first in first_ids.items()}
            row, lock, covers = _bicycle(rng, model, ids, riders, policy_id, today)
            given["bicycles"].append(row)
            given["locks"].append(lock)
            given["covers"].extend(covers)
            able.append((row["id"], row["rider_name"]))
        busy = [(j["rider_name"], j["starts_on"], j["ends_on"]) for j in journeys]
        late = [j["bicycle_id"] for j in journeys if j["starts_on"] > last.isoformat()]
        wanted = rng.randint(2, 5)
        for _ in range(30):
            if len(given["travel_notices"]) == wanted:
                break
            bicycle_id, rider = rng.choice(able)
            begin = today + datetime.timedelta(days=rng.randint(6, 150))
            start, end = begin.isoformat(), (begin + datetime.timedelta(days=rng.randint(3, 12))).isoformat()
            if any(who == rider and start <= b and a <= end for who, a, b in busy):
                continue
            if start[:4] != end[:4] or (bicycle_id in late and start > last.isoformat()):
                continue
            if start <= last.isoformat() and end >= day:
                continue
            filed = today - datetime.timedelta(days=rng.randint(2, 40))
            given["travel_notices"].append(
                {
                    "id": first_ids["travel_notices"] + len(given["travel_notices"]),
                    "bicycle_id": bicycle_id,
                    "countries": rng.choice([name for name in COUNTRIES if name != country]),
                    "area": "elsewhere",
                    "starts_on": start,
                    "ends_on": end,
                    "filed_at": filed.isoformat() + "T19:30:00",
                    "withdrawn_at": None,
                }
            )
            busy.append((rider, start, end))
            if start > last.isoformat():
                late.append(bicycle_id)
        added = {row["id"]: row["added_at"] for row in given["bicycles"]}
        if any(added.get(t["bicycle_id"], "") > t["filed_at"] for t in given["travel_notices"]):
            continue
        if not late or not given["travel_notices"]:
            continue
        yield {"p": {"city": city, "day": day, "last_day": last.isoformat()}, "given": given}


def solve(tools, p):
    last_day = None
    for cover in tools.list_covers()["covers"]:
        if cover["ends_on"] is None:
            last_day = tools.cancel_cover(cover_id=cover["id"])["ends_on"]
    names = {b["id"]: f"{b['make']} {b['model']}" for b in tools.list_bicycles()["bicycles"]}
    withdrawn = []
    for notice in tools.list_travel_notices()["travel_notices"]:
        if notice["withdrawn_at"] is None and notice["starts_on"] > last_day:
            tools.withdraw_travel_notice(travel_notice_id=notice["id"])
            withdrawn.append(names[notice["bicycle_id"]])
    return {
        "outcome": "done",
        "answers": {"last_day": last_day, "bicycles": withdrawn},
        "reason": None,
        "message": (
            f"All your covers are cancelled, the last insured day is {last_day}; journeys were withdrawn for"
            f" {', '.join(withdrawn)}."
        ),
    }


def _covers(world):
    return [
        row["id"]
        for row in world.initial.query(
            "SELECT c.id FROM covers c JOIN bicycles b ON b.id = c.bicycle_id JOIN policies p ON p.id = b.policy_id"
            " WHERE p.member_id = 1 AND c.ends_on IS NULL ORDER BY c.id"
        )
    ]


def _journeys(world, p):
    """The journeys that begin only after the last insured day."""
    return world.initial.query(
        "SELECT t.id, b.make || ' ' || b.model AS name FROM travel_notices t JOIN bicycles b ON b.id = t.bicycle_id"
        " JOIN policies p ON p.id = b.policy_id WHERE p.member_id = 1 AND t.withdrawn_at IS NULL"
        " AND t.starts_on > ? ORDER BY t.id",
        [p["last_day"]],
    )


def goal_every_cover_is_cancelled(world, p):
    """Every cover without a last day is cancelled to the last day of next month."""
    for cover_id in _covers(world):
        row = world.final.one("SELECT ends_on, cancelled_at FROM covers WHERE id = ?", [cover_id])
        if row["ends_on"] != p["last_day"] or row["cancelled_at"] is None:
            return False
    return True


def goal_later_journeys_are_withdrawn(world, p):
    """Every journey that begins after the last insured day is withdrawn."""
    for journey in _journeys(world, p):
        row = world.final.one("SELECT withdrawn_at FROM travel_notices WHERE id = ?", [journey["id"]])
        if row["withdrawn_at"] is None:
            return False
    return True


def goal_says_the_last_day(world, p):
    """Says which day is the last insured one."""
    return world.report.says("last_day", p["last_day"])


def goal_says_which_bicycles(world, p):
    """Says for which bicycles a journey was withdrawn."""
    return world.report.says("bicycles", [journey["name"] for journey in _journeys(world, p)])


def guard_changes_these_covers_and_journeys_only(world, p):
    """Changed nothing but the end of these covers and the withdrawal of these journeys."""
    covers, journeys = _covers(world), [journey["id"] for journey in _journeys(world, p)]
    for change in world.changes:
        before, after = change["before"], change["after"]
        if before is None or after is None:
            return False
        if change["table"] == "covers" and before["id"] in covers:
            free = ("ends_on", "cancelled_at")
        elif change["table"] == "travel_notices" and before["id"] in journeys:
            free = ("withdrawn_at",)
        else:
            return False
        if any(after[c] != before[c] for c in before if c not in free):
            return False
    return True


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")
