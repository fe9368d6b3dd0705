import datetime

NAMES = ("Aigrette", "Bécassine", "Canaille", "Demoiselle", "Escapade", "Fauvette", "Gaillarde", "Huppe", "Jolie Brise", "Loutre",
         "Margotte", "Nénuphar", "Otarie", "Perce-Neige", "Quenouille", "Rêveuse", "Salamandre", "Tadorne", "Vagabonde", "Libertine",
         "Cigogne", "Brin d'Eau", "Coquelicot", "Marjolaine", "Passerose", "Sarcelle", "Belette", "Grenouille", "Clapotis", "Roseline")
PEOPLE = (("Bernard Maillot", "Dole"), ("Céline Vautrin", "Besançon"), ("Uwe Kessler", "Tübingen"), ("Annick Poirier", "Lyon"),
          ("Roger Dunmore", "Bath"), ("Saskia Bakker", "Gouda"), ("Odette Frossard", "Vesoul"), ("Luca Ferrero", "Torino"))


def _top(world):
    """The highest ids there are."""
    return {
        "boaters": world.one("SELECT COALESCE(MAX(id), 0) AS n FROM boaters")["n"],
        "boats": world.one("SELECT COALESCE(MAX(id), 0) AS n FROM boats")["n"],
        "licences": world.one("SELECT COALESCE(MAX(id), 0) AS n FROM licences")["n"],
        "passages": world.one("SELECT COALESCE(MAX(id), 0) AS n FROM passages")["n"],
    }


def _plus(day, days):
    """A day so many days later."""
    return (datetime.date.fromisoformat(day) + datetime.timedelta(days=days)).isoformat()



def _start(world):
    """An empty set of further rows with the ids to go on from."""
    top = _top(world)
    return {"top": top, "given": {"boaters": [], "boats": [], "licences": [], "passages": []}}


def _add(new, table, values):
    """Adds a row with the next id."""
    new["top"][table] += 1
    row = dict(values, id=new["top"][table])
    new["given"][table].append(row)
    return row


def _rows(new):
    """The further rows, without empty tables."""
    return {t: rows for t, rows in new["given"].items() if rows}


def _person(new, rng, clock):
    """A further boater."""
    name, commune = rng.choice(PEOPLE)
    number = new["top"]["boaters"] + 1
    return _add(new, "boaters", {
        "name": name, "email": "boater%d@gens-du-bief.example" % number, "phone": "06 55 %02d %02d %02d" % (rng.randint(10, 99), rng.randint(10, 99), number),
        "commune": commune, "riverside_inhabitant": 0, "registered_at": "%s-0%d-1%dT10:00:00" % (rng.randint(2015, 2024), rng.randint(3, 9), rng.randint(0, 9))})


def _boat(new, rng, owner, name, length, register, propulsion="electric", mooring=None, arrived=None, sealed=None):
    """A further boat."""
    number = new["top"]["boats"] + 1
    entered = register if register is not None else "%d-05-1%d" % (rng.randint(2021, 2024), rng.randint(0, 9))
    return _add(new, "boats", {
        "registration_no": "VE-%04d" % (1280 + number), "name": name, "boater_id": owner, "boat_use": "pleasure", "propulsion": propulsion,
        "length_m": length, "width_m": round(2.0 + length / 10, 2), "draught_m": 0.7, "air_draught_m": 2.2,
        "electric_register_day": register if propulsion == "electric" else None, "wooden_hull": 0, "built_year": int(entered[:4]) - 1,
        "standing_priority": 0, "mooring_id": mooring, "arrived_at": arrived, "engine_sealed_at": sealed, "registered_at": "%sT10:30:00" % entered})


def _licence(new, boat, first, last_day=None):
    """A licence of 30 days, or of 7 days that ends on a day, for a further boat."""
    length = boat["length_m"]
    place = 1 if length < 8 else 2 if length < 11 else 3 if length < 14 else 4
    thirty = {1: 4800, 2: 8200, 3: 11800, 4: 16100}[place]
    seven = {1: 2700, 2: 4400, 3: 6300, 4: 8600}[place]
    short = last_day is not None
    begins = _plus(last_day, -6) if short else first
    return _add(new, "licences", {
        "licence_no": "L-2629%02d" % (new["top"]["licences"] + 1), "boat_id": boat["id"], "class_id": place,
        "duration": "7 days" if short else "30 days", "valid_from": begins, "valid_to": last_day if short else _plus(first, 29),
        "reduction_id": None, "price_cents": seven if short else thirty, "bought_at": "%sT09:%02d:00" % (_plus(begins, -1), new["top"]["licences"] % 60)})


def _booking(new, rng, boat, convoy_id, clock, seal=0):
    """A booked passage of an EL convoy, made one to three days ago."""
    day = _plus(clock[:10], -rng.randint(1, 3))
    number = new["top"]["passages"] + 1
    return _add(new, "passages", {
        "passage_no": "P-%05d" % (21000 + number * 3), "boat_id": boat["id"], "convoy_id": convoy_id, "status": "booked",
        "booked_at": "%sT%02d:%02d:00" % (day, rng.randint(9, 16), rng.randint(0, 59)), "arrived_at": None, "announced_at": None, "battery_percent": None,
        "read_at": None, "tonnes": None, "put_off_from_passage_id": None, "price_cents": 900, "price_basis": "full", "seal_cents": seal,
        "credit_cents": 0, "credit_from_passage_id": None, "deposit_cents": 0, "deposit_status": "none", "refund_cents": 0,
        "article_id": None, "ended_at": None})


def _register_day(rng):
    """A day of entry in the electric register."""
    return "20%d-0%d-1%d" % (rng.randint(16, 24), rng.randint(3, 9), rng.randint(0, 9))


def _free_names(world, rng):
    """Names that no boat has, in any order."""
    taken = {r["name"] for r in world.query("SELECT name FROM boats")}
    names = [n for n in NAMES if n not in taken]
    rng.shuffle(names)
    return names


def instances(world, rng):
    """A boat of the user with bookings there and back, of which some cannot be moved."""
    today = world.clock[:10]
    convoys = world.query(
        "SELECT c.id, c.day, c.status, t.direction, (SELECT COUNT(*) FROM passages p WHERE p.convoy_id = c.id"
        " AND p.status IN ('booked', 'listed', 'controlled')) AS boats FROM convoys c JOIN timetable t ON t.id = c.slot_id"
        " WHERE t.convoy IN ('EL1', 'EL2') AND c.day > ? ORDER BY c.day, c.id", [today])
    by = {(c["day"], c["direction"]): c for c in convoys}
    days = sorted({c["day"] for c in convoys})
    for turn in range(2500):
        names = _free_names(world, rng)
        later = rng.randint(2, 3)
        count = rng.randint(3, 4)
        picked = sorted(rng.sample(days[:-later], count))
        way = rng.choice(("north", "south"))
        trips = []
        for day in picked:
            trips.append(by[day, way])
            way = "south" if way == "north" else "north"
        if any(c["status"] != "planned" or c["boats"] >= 5 for c in trips):
            continue
        if (_plus(picked[0], later), trips[0]["direction"]) not in by or any((_plus(c["day"], later), c["direction"]) not in by for c in trips):
            continue
        goals = [by[_plus(c["day"], later), c["direction"]] for c in trips]
        if {g["id"] for g in goals} & {c["id"] for c in trips}:
            continue
        new = _start(world)
        boat = _boat(new, rng, 1, names[0], round(rng.uniform(6.2, 13.6), 1), _register_day(rng))
        begins = _plus(today, -rng.randint(0, 5))
        if rng.random() < 0.35:
            begins = _plus(goals[-1]["day"], -rng.randint(30, 31))
        if begins > today or _plus(begins, 29) < trips[-1]["day"]:
            continue
        _licence(new, boat, begins)
        ends = _plus(begins, 29)
        owner = _person(new, rng, world.clock)
        at = 1
        moves, stay = {}, []
        for c, g in zip(trips, goals):
            booking = _booking(new, rng, boat, c["id"], world.clock)
            free = 5 - g["boats"]
            fill = free if rng.random() < 0.3 else rng.randint(0, max(0, min(2, free - 1)))
            if g["status"] != "planned":
                fill = 0
            for k in range(fill):
                if at % 3 == 0:
                    owner = _person(new, rng, world.clock)
                filler = _boat(new, rng, owner["id"], names[at], round(rng.uniform(6.2, 13.6), 1), _register_day(rng))
                _licence(new, filler, _plus(today, -rng.randint(1, 5)))
                _booking(new, rng, filler, g["id"], world.clock)
                at += 1
            if g["status"] == "planned" and free - fill > 0 and g["day"] <= ends:
                moves[str(booking["id"])] = g["id"]
            else:
                stay.append(c["day"])
        if at > 14 or not moves or not stay:
            continue
        plan = sorted((c["day"], c["direction"]) if c["day"] in stay else (g["day"], g["direction"]) for c, g in zip(trips, goals))
        if any(x[0] == y[0] or x[1] == y[1] for x, y in zip(plan, plan[1:])):
            continue
        yield {"p": {"boat": names[0], "first": picked[0], "last": picked[-1], "later": later, "moves": moves, "staying": stay}, "given": _rows(new)}


def solve(tools, p):
    boat = next(b for b in tools.list_boats(name=p["boat"])["boats"] if b["name"] == p["boat"])
    bookings = tools.list_passages(boat_id=boat["id"], status="booked", first_day=p["first"], last_day=p["last"])["passages"]
    staying = []
    for booking in sorted(bookings, key=lambda x: x["day"]):
        day = (datetime.date.fromisoformat(booking["day"]) + datetime.timedelta(days=p["later"])).isoformat()
        found = tools.search_convoys(first_day=day, last_day=day, letter="EL", direction=booking["direction"], status="planned")["convoys"]
        moved = False
        for c in found:
            if c["boats_left"] > 0 and not moved:
                try:
                    tools.move_passage(passage_id=booking["id"], convoy_id=c["id"])
                    moved = True
                except tools.Error:
                    moved = False
        if not moved:
            staying.append(booking["day"])
    return {"outcome": "done", "answers": {"staying": staying}, "reason": None,
            "message": "Moved what could be moved; these bookings of %s stay: %s." % (p["boat"], ", ".join(staying))}


def goal_bookings_are_moved(world, p):
    """Every booking that can be moved is in the convoy so many days later."""
    for passage, convoy in p["moves"].items():
        row = world.final.one("SELECT convoy_id, status FROM passages WHERE id = ?", [int(passage)])
        if row["convoy_id"] != convoy or row["status"] != "booked":
            return False
    return True


def goal_says_which_stay(world, p):
    """Says the days of the bookings that stay."""
    return world.report.says("staying", p["staying"])


def guard_moves_these_only(world, p):
    """Changed nothing but the convoy of the bookings that can be moved."""
    for c in world.changes:
        if c["table"] != "passages" or c["before"] is None or c["after"] is None or str(c["before"]["id"]) not in p["moves"]:
            return False
        if {k for k in c["before"] if c["before"][k] != c["after"][k]} != {"convoy_id"} or c["after"]["convoy_id"] != p["moves"][str(c["before"]["id"])]:
            return False
    return True


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done") and world.report.reason is None
