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
    """A boat of the user with several bookings there and back, some in crowded convoys."""
    today = world.clock[:10]
    convoys = world.query(
        "SELECT c.id, c.day, t.direction, (SELECT COUNT(*) FROM passages p WHERE p.convoy_id = c.id"
        " AND p.status IN ('booked', 'listed', 'controlled')) AS boats FROM convoys c JOIN timetable t ON t.id = c.slot_id"
        " WHERE t.convoy LIKE 'EL%' AND c.status = 'planned' AND c.day > ? ORDER BY c.day, c.id", [today])
    days = sorted({c["day"] for c in convoys})
    for turn in range(600):
        names = _free_names(world, rng)
        count = rng.randint(4, 6)
        picked = sorted(rng.sample(days, count))
        way = rng.choice(("north", "south"))
        trips = []
        for day in picked:
            trips.append(next(c for c in convoys if c["day"] == day and c["direction"] == way))
            way = "south" if way == "north" else "north"
        inside = trips[:-1]
        if any(c["boats"] >= 5 for c in trips):
            continue
        most = rng.randint(3, 4)
        new = _start(world)
        hybrid = rng.random() < 0.3
        boat = _boat(new, rng, 1, names[0], round(rng.uniform(6.2, 13.6), 1), None if hybrid else _register_day(rng), "hybrid" if hybrid else "electric")
        _licence(new, boat, _plus(today, -rng.randint(1, 5)))
        owner = _person(new, rng, world.clock)
        at = 1
        crowded = []
        for c in trips:
            wanted = rng.choice((1, 1, 2, 2, 3, 3, 4, 5))
            extra = max(0, wanted - 1 - c["boats"])
            for k in range(extra):
                if at % 3 == 0:
                    owner = _person(new, rng, world.clock)
                filler = _boat(new, rng, owner["id"], names[at % len(names)], round(rng.uniform(6.2, 13.6), 1), _register_day(rng))
                _licence(new, filler, _plus(today, -rng.randint(1, 5)))
                _booking(new, rng, filler, c["id"], world.clock)
                at += 1
            booking = _booking(new, rng, boat, c["id"], world.clock, seal=600 if hybrid else 0)
            if c in inside and c["boats"] + extra + 1 >= most:
                crowded.append(booking["id"])
        if at > 12 or not 1 <= len(crowded) <= len(inside) - 1:
            continue
        p = {"boat": names[0], "first": _plus(picked[0], -rng.randint(0, 1)), "last": picked[-2], "most": most, "cancel": crowded,
             "back": len(crowded) * (1500 if hybrid else 900)}
        if p["first"] <= today:
            p["first"] = picked[0]
        yield {"p": p, "given": _rows(new)}


def solve(tools, p):
    boat = next(b for b in tools.list_boats(name=p["boat"])["boats"] if b["name"] == p["boat"])
    back = 0
    called_off = []
    for booking in tools.list_passages(boat_id=boat["id"], status="booked", first_day=p["first"], last_day=p["last"])["passages"]:
        if tools.get_convoy(convoy_id=booking["convoy_id"])["convoy"]["boats"] >= p["most"]:
            back += tools.cancel_passage(passage_id=booking["id"])["passage"]["refund_cents"]
            called_off.append(booking["day"])
    return {"outcome": "done", "answers": {"given_back": back}, "reason": None,
            "message": "Cancelled for %s: %s; %.2f euro come back." % (p["boat"], ", ".join(called_off), back / 100)}


def goal_crowded_ones_are_cancelled(world, p):
    """Every booking in a crowded convoy is cancelled and paid back."""
    for passage in p["cancel"]:
        row = world.final.one("SELECT status, refund_cents, price_cents + seal_cents AS paid FROM passages WHERE id = ?", [passage])
        if row["status"] != "cancelled" or row["refund_cents"] != row["paid"]:
            return False
    return True


def goal_says_what_comes_back(world, p):
    """Says what is given back altogether."""
    return world.report.says("given_back", p["back"])


def guard_cancels_these_only(world, p):
    """Changed nothing but the bookings in crowded convoys, by cancelling them."""
    for c in world.changes:
        if c["table"] != "passages" or c["before"] is None or c["after"] is None or c["before"]["id"] not in p["cancel"]:
            return False
        if any(c["before"][k] != c["after"][k] for k in c["before"] if k not in ("status", "refund_cents", "ended_at", "deposit_status")):
            return False
        if c["after"]["status"] != "cancelled" or c["after"]["deposit_status"] != "none":
            return False
    return True


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done") and world.report.reason is None
