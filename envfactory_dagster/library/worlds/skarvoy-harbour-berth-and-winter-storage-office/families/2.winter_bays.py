import datetime

OWN_NAMES = ("Sildra", "Vesla", "Gullmåken", "Fjordrosa", "Blåtind", "Havørna", "Stjerna", "Kvikk", "Solvår", "Brimnes")
OTHER_NAMES = ("Anne Lise", "Bris", "Dyningen", "Elfrid", "Fralda", "Gjøken", "Hjelmen", "Inger")
CODES = ("D1", "D2", "E1", "E2", "F1", "F2")


def _plus(text, days):
    return (datetime.date.fromisoformat(text) + datetime.timedelta(days=days)).isoformat()


def _meets(place, p):
    return place["status"] != "released" and place["first_day"] <= p["last"] and place["last_day"] >= p["first"]


def _review(boats, bays, places, p):
    """Cheapest free bay for every boat that has no place in that time; the dearest of these, and boats with none."""
    housed = {place["boat_id"] for place in places if _meets(place, p)}
    full = {place["shed_bay_id"] for place in places if _meets(place, p)}
    found, without = [], 0
    for boat in boats:
        if boat["id"] in housed:
            continue
        fitting = [
            bay
            for bay in bays
            if bay["id"] not in full and bay["length_cm"] >= boat["length_cm"] and bay["width_cm"] >= boat["beam_cm"]
        ]
        if fitting:
            best = min(fitting, key=lambda bay: bay["winter_price_cents"])
            found.append((best["winter_price_cents"], boat["name"], best["code"]))
        else:
            without += 1
    found.sort(reverse=True)
    return {"found": found, "without": without}


def instances(world, rng):
    """Boats without a shed place for a winter, and bays of which some are taken in part of it."""
    today = world.clock[:10]
    year = int(today[:4])
    boats = world.query("SELECT id, name, length_cm, beam_cm FROM boats WHERE boat_owner_id = 1 ORDER BY length_cm, id")
    bays = world.query("SELECT id, code, length_cm, width_cm, winter_price_cents FROM shed_bays ORDER BY code")
    places = world.query("SELECT boat_id, shed_bay_id, first_day, last_day, status FROM shed_places ORDER BY id")
    owners = [row["id"] for row in world.query("SELECT DISTINCT boat_owner_id AS id FROM boats WHERE boat_owner_id <> 1 ORDER BY 1")]
    for _ in range(3000):
        p = {
            "first": _plus(f"{year}-10-01", rng.randint(0, 50)),
            "last": _plus(f"{year + 1}-03-10", rng.randint(0, 55)),
        }
        names = rng.sample(OWN_NAMES, rng.randint(2, 4))
        mine = [
            {
                "id": 5001 + i,
                "boat_owner_id": 1,
                "name": name,
                "length_cm": rng.randrange(440, 960, 10),
                "beam_cm": rng.randrange(165, 325, 5),
                "draught_cm": rng.randrange(45, 160, 5),
                "weight_kg": rng.randrange(400, 6400, 100),
            }
            for i, name in enumerate(names)
        ]
        for boat in mine:
            boat["beam_cm"] = min(330, boat["length_cm"] // 15 * 5 + rng.randrange(0, 20, 5))
        prices = {bay["winter_price_cents"] for bay in bays}
        codes = list(CODES)
        rng.shuffle(codes)
        more = []
        for i in range(rng.randint(2, 5)):
            price = rng.randrange(250000, 640000, 5000)
            if price in prices:
                continue
            prices.add(price)
            length = rng.randrange(500, 920, 10)
            more.append(
                {
                    "id": 5001 + i,
                    "code": codes[i],
                    "length_cm": length,
                    "width_cm": length // 15 * 5 + rng.randrange(0, 40, 5),
                    "winter_price_cents": price,
                }
            )
        every = bays + more
        others, reserved = [], []
        for bay in every:
            if len(others) == len(OTHER_NAMES) or rng.random() < 0.5:
                continue
            start = _plus(f"{year}-09-25", rng.randint(0, 45))
            if rng.random() < 0.3:
                end = _plus(start, rng.randint(10, 40))
            else:
                end = _plus(f"{year + 1}-03-15", rng.randint(0, 50))
            if any(q["shed_bay_id"] == bay["id"] and q["status"] != "released" and q["first_day"] <= end and q["last_day"] >= start for q in places):
                continue
            boat = {
                "id": 5101 + len(others),
                "boat_owner_id": rng.choice(owners),
                "name": OTHER_NAMES[len(others)],
                "length_cm": bay["length_cm"] - rng.randrange(10, 60, 10),
                "beam_cm": bay["width_cm"] - rng.randrange(15, 45, 5),
                "draught_cm": rng.randrange(45, 140, 5),
                "weight_kg": rng.randrange(700, 4900, 100),
            }
            others.append(boat)
            reserved.append(
                {
                    "id": 5001 + len(reserved),
                    "boat_id": boat["id"],
                    "shed_bay_id": bay["id"],
                    "first_day": start,
                    "last_day": end,
                    "price_cents": bay["winter_price_cents"],
                    "status": "reserved",
                    "reserved_at": f"{_plus(today, -rng.randint(1, 25))}T{rng.randint(8, 20):02d}:50:00",
                    "released_at": None,
                }
            )
        found = _review(boats + mine, every, places + reserved, p)
        best = found["found"]
        if len(best) < 2 or best[0][0] == best[1][0]:
            continue
        given = {"boats": mine + others, "shed_bays": more, "shed_places": reserved}
        yield {"p": p, "given": {table: rows for table, rows in given.items() if rows}}


def solve(tools, p):
    boats = tools.list_my_boats()["boats"]
    places = tools.list_my_shed_places()["shed_places"]
    housed = {place["boat_id"] for place in places if _meets(place, p)}
    found, without = [], 0
    for boat in boats:
        if boat["id"] in housed:
            continue
        bays = tools.search_shed_bays(
            min_length_cm=boat["length_cm"],
            min_width_cm=boat["beam_cm"],
            free_first_day=p["first"],
            free_last_day=p["last"],
        )["shed_bays"]
        if bays:
            best = min(bays, key=lambda bay: bay["winter_price_cents"])
            found.append((best["winter_price_cents"], boat["name"], best["code"]))
        else:
            without += 1
    dearest = max(found)
    total = sum(price for price, _, _ in found)
    return {
        "outcome": "done",
        "answers": {
            "total": total,
            "dearest_boat": dearest[1],
            "dearest_bay": dearest[2],
            "boats_without_bay": without,
        },
        "reason": None,
        "message": (
            f"The cheapest bays come to {total / 100:.2f} kroner; the dearest is {dearest[2]} for the {dearest[1]}."
            f" Boats for which there is no bay: {without}."
        ),
    }


def _right(world, p):
    boats = world.initial.query("SELECT b.id, b.name, b.length_cm, b.beam_cm FROM boats b WHERE b.boat_owner_id = 1")
    bays = world.initial.query("SELECT y.id, y.code, y.length_cm, y.width_cm, y.winter_price_cents FROM shed_bays y")
    places = world.initial.query(
        "SELECT s.boat_id, s.shed_bay_id, s.first_day, s.last_day, s.status FROM shed_places s WHERE s.released_at IS NULL"
    )
    return _review(boats, bays, places, p)


def goal_says_total(world, p):
    """Says what the cheapest bays of all these boats come to together."""
    return world.report.says("total", sum(price for price, _, _ in _right(world, p)["found"]))


def goal_says_dearest_boat(world, p):
    """Says for which boat the cheapest bay is the dearest."""
    return world.report.says("dearest_boat", _right(world, p)["found"][0][1])


def goal_says_dearest_bay(world, p):
    """Says which bay that is."""
    return world.report.says("dearest_bay", _right(world, p)["found"][0][2])


def goal_says_how_many_have_none(world, p):
    """Says for how many of these boats no bay is free that takes them."""
    return world.report.says("boats_without_bay", _right(world, p)["without"])


def guard_changes_nothing(world, p):
    """Changed nothing, as only an answer was wanted."""
    return not world.changes


def guard_reports_it_as_done(world, p):
    """Reports that it is done, with no rule as a reason."""
    return world.report.outcome is None or (world.report.outcome == "done" and world.report.reason is None)
