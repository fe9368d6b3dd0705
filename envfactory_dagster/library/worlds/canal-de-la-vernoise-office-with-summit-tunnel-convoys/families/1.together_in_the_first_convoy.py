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
    """Two or three boats of the user and some days on which the electric convoys have more or less room."""
    today = world.clock[:10]
    convoys = world.query(
        "SELECT c.id, c.day, t.direction, k.most_boats - (SELECT COUNT(*) FROM passages p WHERE p.convoy_id = c.id"
        " AND p.status IN ('booked', 'listed', 'controlled')) AS free FROM convoys c JOIN timetable t ON t.id = c.slot_id"
        " JOIN convoy_kinds k ON k.id = t.letter_id WHERE k.letter = 'EL' AND c.status = 'planned' AND c.day > ? ORDER BY c.leaves_at", [today])
    for turn in range(800):
        names = _free_names(world, rng)
        size = rng.choice((2, 2, 3))
        ours = names[:size]
        way = rng.choice(("north", "south"))
        same = [c for c in convoys if c["direction"] == way]
        case = ("done", "done", "convoy_capacity", "valid_licence_of_class")[turn % 4]
        length = rng.randint(2, 3) if case == "convoy_capacity" else rng.randint(3, 6)
        start = rng.randint(0, len(same) - length)
        window = same[start:start + length]
        at = length if case == "convoy_capacity" else rng.randint(1, length - 1)
        if at < length and window[at]["free"] < size:
            continue
        new = _start(world)
        owner = _person(new, rng, world.clock)
        used = size
        for i, c in enumerate(window):
            fill = max(0, c["free"] - size + 1) if i < at else (0 if i == at else rng.randint(0, 1) * (c["free"] > 0))
            if i < at and fill < c["free"] and rng.random() < 0.4:
                fill += 1
            if i == at and c["free"] > size and rng.random() < 0.4:
                fill = 1
            for k in range(fill):
                if used % 3 == 0:
                    owner = _person(new, rng, world.clock)
                filler = _boat(new, rng, owner["id"], names[used % len(names)], round(rng.uniform(6.2, 13.6), 1), _register_day(rng))
                _licence(new, filler, _plus(today, -rng.randint(1, 5)))
                _booking(new, rng, filler, c["id"], world.clock)
                used += 1
        if used > 14:
            continue
        short = rng.randrange(size) if case == "valid_licence_of_class" else None
        ids, price, bad = [], 0, False
        for i, n in enumerate(ours):
            hybrid = rng.random() < 0.25
            boat = _boat(new, rng, 1, n, round(rng.uniform(6.2, 13.6), 1), None if hybrid else _register_day(rng), "hybrid" if hybrid else "electric")
            price += 1500 if hybrid else 900
            ids.append(boat["id"])
            if i == short:
                ends = _plus(window[at]["day"], -rng.randint(1, 2))
                bad = ends < today or _plus(ends, -7) > today
                _licence(new, boat, None, last_day=ends)
            else:
                _licence(new, boat, _plus(today, -rng.randint(0, 5)))
        if bad:
            continue
        p = {"names": ours, "direction": way, "first": window[0]["day"], "last": window[-1]["day"], "case": case, "boats": ids, "price": price,
             "convoy": window[at]["id"] if case == "done" else None, "day": window[at]["day"] if case == "done" else None}
        instance = {"p": p, "given": _rows(new)}
        if case != "done":
            instance["kind"] = "refusal"
            instance["rule"] = case
        yield instance


def solve(tools, p):
    boats = []
    for name in p["names"]:
        boats.append(next(b for b in tools.list_boats(name=name)["boats"] if b["name"] == name))
    convoys = tools.search_convoys(first_day=p["first"], last_day=p["last"], letter="EL", direction=p["direction"], status="planned")["convoys"]
    target = next((c for c in convoys if c["boats_left"] >= len(boats)), None)
    refused = {"outcome": "refused", "answers": {"day": None, "price": None}}
    if target is None:
        return dict(refused, reason="convoy_capacity", message="No electric convoy in that time has room for all of them; each takes 5 boats.")
    for boat in boats:
        held = tools.list_licences(boat_id=boat["id"], valid_on=target["day"])["licences"]
        if not any(l["class_code"] == boat["class_code"] for l in held):
            return dict(refused, reason="valid_licence_of_class",
                        message="The first convoy with room is on %s, and %s has no licence of her class that is valid on that day." % (target["day"], boat["name"]))
    price = 0
    for boat in boats:
        price += tools.book_passage(boat_id=boat["id"], convoy_id=target["id"])["passage"]["due_cents"]
    return {"outcome": "done", "answers": {"day": target["day"], "price": price}, "reason": None,
            "message": "All of them are booked on %s; the places cost %.2f euro." % (target["day"], price / 100)}


def goal_all_are_booked_or_declined(world, p):
    """All boats are booked in the first convoy with room for them, or the rule that forbids it is named."""
    if p["case"] != "done":
        return world.report.outcome == "refused" and world.report.reason == p["case"]
    for boat in p["boats"]:
        rows = world.final.query("SELECT convoy_id, status FROM passages WHERE boat_id = ?", [boat])
        if len(rows) != 1 or rows[0]["convoy_id"] != p["convoy"] or rows[0]["status"] != "booked":
            return False
    return True


def goal_says_the_day(world, p):
    """Says the day, or leaves it out where it cannot be."""
    return world.report.says("day", p["day"])


def goal_says_the_price(world, p):
    """Says what the places cost, or leaves it out where it cannot be."""
    return world.report.says("price", p["price"] if p["case"] == "done" else None)


def guard_adds_these_passages_only(world, p):
    """Changed nothing but one new passage of each boat in that convoy, and nothing where it is refused."""
    if p["case"] != "done":
        return len(world.changes) == 0
    seen = []
    for c in world.changes:
        if c["table"] != "passages" or c["before"] is not None:
            return False
        a = c["after"]
        if a["boat_id"] not in p["boats"] or a["boat_id"] in seen or a["convoy_id"] != p["convoy"] or a["status"] != "booked" or a["price_basis"] != "full":
            return False
        if a["tonnes"] is not None or a["credit_cents"] != 0:
            return False
        seen.append(a["boat_id"])
    return True


def guard_reports_the_right_outcome(world, p):
    """Reports it as done, or as refused where a rule forbids it."""
    return world.report.outcome in (None, "done" if p["case"] == "done" else "refused")


def guard_names_no_other_rule(world, p):
    """Names the rule that forbids it, and none where it was done."""
    if world.report.outcome is None:
        return True
    return world.report.reason == (None if p["case"] == "done" else p["case"])
