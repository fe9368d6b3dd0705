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
    """Boats of the user, and days with more or less room both ways; one is the first that is good there and back."""
    today = world.clock[:10]
    convoys = world.query(
        "SELECT c.id, c.day, c.leaves_at, t.direction, k.most_boats - COUNT(p.id) AS free FROM convoys c JOIN timetable t ON t.id = c.slot_id"
        " JOIN convoy_kinds k ON k.id = t.letter_id LEFT JOIN passages p ON p.convoy_id = c.id AND p.status IN ('booked', 'listed', 'controlled')"
        " WHERE k.letter = 'EL' AND c.status = 'planned' AND c.day > ? GROUP BY c.id ORDER BY c.leaves_at", [today])
    by = {(c["day"], c["direction"]): c for c in convoys}
    end = convoys[-1]["day"]
    for turn in range(900):
        names = _free_names(world, rng)
        way = rng.choice(("north", "south"))
        other = "south" if way == "north" else "north"
        stay = rng.randint(2, 3)
        boats = rng.randint(3, 4)
        first = _plus(today, rng.randint(1, 2))
        last = _plus(end, -stay - rng.randint(0, 1))
        start = first
        days = []
        while start <= last:
            days.append(start)
            start = _plus(start, 1)
        free = {k: c["free"] for k, c in by.items()}
        good = rng.choice(days[2:])
        if (good, way) not in by or (_plus(good, stay), other) not in by:
            continue
        if free[good, way] < boats or free[_plus(good, stay), other] < boats:
            continue
        begins = rng.choice(days[:days.index(good) + 1])
        keep = {(good, way), (_plus(good, stay), other)}
        fills = []
        bad = False
        for day in days[:days.index(good)]:
            pair = [(day, way), (_plus(day, stay), other)]
            if day < begins or any(k not in by or free[k] < boats for k in pair):
                continue
            open_pair = [k for k in pair if k not in keep]
            if not open_pair:
                bad = True
                break
            k = rng.choice(open_pair)
            fills.append((k, free[k] - boats + 1))
            free[k] = boats - 1
        if bad or not fills or sum(n for k, n in fills) > 12:
            continue
        new = _start(world)
        late = rng.randrange(boats)
        for i in range(boats):
            boat = _boat(new, rng, 1, names[i], round(rng.uniform(6.2, 13.6), 1), _register_day(rng))
            if i == late and begins > first:
                row = _licence(new, boat, begins)
                row["bought_at"] = "%sT10:%02d:00" % (_plus(today, -1), rng.randint(0, 59))
            else:
                _licence(new, boat, _plus(today, -rng.randint(0, 5)))
        at = boats
        owner = None
        for k, n in sorted(fills):
            for i in range(n):
                if owner is None or at % 3 == 0:
                    owner = _person(new, rng, world.clock)
                filler = _boat(new, rng, owner["id"], names[at], round(rng.uniform(6.2, 13.6), 1), _register_day(rng))
                _licence(new, filler, _plus(today, -rng.randint(1, 5)))
                _booking(new, rng, filler, by[k]["id"], world.clock)
                at += 1
        back = _plus(good, stay)
        yield {"p": {"names": names[:boats], "direction": way, "stay": stay, "first": first, "last": last, "out": good, "back": back,
                     "out_at": by[good, way]["leaves_at"][11:16], "back_at": by[back, other]["leaves_at"][11:16]}, "given": _rows(new)}


def solve(tools, p):
    licences = []
    for name in p["names"]:
        boat = next(b for b in tools.list_boats(name=name)["boats"] if b["name"] == name)
        licences.append([l for l in tools.list_licences(boat_id=boat["id"])["licences"] if l["class_code"] == boat["class_code"]])
    other = "south" if p["direction"] == "north" else "north"
    day = datetime.date.fromisoformat(p["first"])
    last = datetime.date.fromisoformat(p["last"])
    stay = datetime.timedelta(days=p["stay"])
    room = {}
    for way, begin, end in ((p["direction"], day, last), (other, day + stay, last + stay)):
        at = begin
        while at <= end:
            on = at.isoformat()
            for c in tools.search_convoys(first_day=on, last_day=on, letter="EL", direction=way, status="planned")["convoys"]:
                if c["boats_left"] >= len(p["names"]) and all(any(l["valid_from"] <= on <= l["valid_to"] for l in held) for held in licences):
                    room[way, on] = c
            at += datetime.timedelta(days=1)
    while day <= last:
        out = room.get((p["direction"], day.isoformat()))
        back = room.get((other, (day + stay).isoformat()))
        if out is not None and back is not None:
            answers = {"day_out": out["day"], "leaves_out": out["leaves_at"][11:16], "day_back": back["day"], "leaves_back": back["leaves_at"][11:16]}
            return {"outcome": "done", "answers": answers, "reason": None,
                    "message": "You can go on %s at %s and come back on %s at %s." % (answers["day_out"], answers["leaves_out"], answers["day_back"], answers["leaves_back"])}
        day += datetime.timedelta(days=1)
    return {"outcome": "done", "answers": {"day_out": None, "leaves_out": None, "day_back": None, "leaves_back": None}, "reason": None,
            "message": "There is no such day."}


def goal_says_the_day_out(world, p):
    """Says the first day on which they can go."""
    return world.report.says("day_out", p["out"])


def goal_says_the_day_back(world, p):
    """Says the day on which they come back."""
    return world.report.says("day_back", p["back"])


def goal_says_when_they_leave(world, p):
    """Says when the convoy there leaves."""
    return world.report.says("leaves_out", p["out_at"])


def goal_says_when_they_leave_again(world, p):
    """Says when the convoy back leaves."""
    return world.report.says("leaves_back", p["back_at"])


def guard_changes_nothing(world, p):
    """Changed nothing."""
    return len(world.changes) == 0


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done") and world.report.reason is None
