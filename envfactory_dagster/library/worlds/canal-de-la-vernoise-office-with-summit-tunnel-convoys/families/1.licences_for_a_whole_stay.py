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


def _plans(prices, days):
    """All ways to cover so many days by licences of 30, 7 and 1 days with nothing superfluous, with their price."""
    found = []
    for thirty in range(0, days // 30 + 2):
        for seven in range(0, 6):
            covered = thirty * 30 + seven * 7
            one = max(0, days - covered)
            if one > 6:
                continue
            if thirty and covered + one - 30 >= days or seven and covered + one - 7 >= days:
                continue
            found.append((thirty * prices[0] + seven * prices[1] + one * prices[2], thirty, seven, one))
    return sorted(found)


def instances(world, rng):
    """A boat of the user, a stay, and perhaps a licence that reaches into it."""
    today = world.clock[:10]
    classes = {c["class_code"]: c for c in world.query(
        "SELECT id, class_code, thirty_days_price_cents, seven_days_price_cents, one_day_price_cents FROM licence_classes WHERE thirty_days_price_cents IS NOT NULL")}
    for turn in range(900):
        name = _free_names(world, rng)[0]
        length = round(rng.uniform(6.2, 15.8), 1)
        code = "A" if length < 8 else "B" if length < 11 else "C" if length < 14 else "D"
        k = classes[code]
        first = _plus(today, rng.randint(1, 6))
        stay = rng.randint(8, 26)
        last = _plus(first, stay - 1)
        if last > "2026-11-08":
            continue
        covered = rng.randint(0, 3)
        new = _start(world)
        kind = rng.choice(("diesel", "petrol", "electric"))
        boat = _boat(new, rng, 1, name, length, _register_day(rng) if kind == "electric" else None, kind)
        if covered:
            ends = _plus(first, covered - 1)
            if _plus(ends, -7) >= today:
                continue
            _licence(new, boat, None, last_day=ends)
        prices = (k["thirty_days_price_cents"], k["seven_days_price_cents"], k["one_day_price_cents"])
        plans = _plans(prices, stay - covered)
        if len(plans) > 1 and plans[0][0] == plans[1][0]:
            continue
        cents, thirty, seven, one = plans[0]
        at = _plus(first, covered)
        rows = []
        for days, duration, number, price in ((30, "30 days", thirty, prices[0]), (7, "7 days", seven, prices[1]), (1, "1 day", one, prices[2])):
            for i in range(number):
                rows.append([duration, at, _plus(at, days - 1), price])
                at = _plus(at, days)
        yield {"p": {"boat": name, "first": first, "last": last, "id": boat["id"], "class_id": k["id"], "rows": rows, "price": cents}, "given": _rows(new)}


def solve(tools, p):
    boat = next(b for b in tools.list_boats(name=p["boat"])["boats"] if b["name"] == p["boat"])
    tariff = tools.get_licence_tariff(class_code=boat["class_code"])["classes"][0]
    prices = (tariff["thirty_days_price_cents"], tariff["seven_days_price_cents"], tariff["one_day_price_cents"])
    held = [l for l in tools.list_licences(boat_id=boat["id"])["licences"] if l["class_code"] == boat["class_code"]]
    day = p["first"]
    while day <= p["last"] and any(l["valid_from"] <= day <= l["valid_to"] for l in held):
        day = _plus(day, 1)
    days = (datetime.date.fromisoformat(p["last"]) - datetime.date.fromisoformat(day)).days + 1
    cents, thirty, seven, one = _plans(prices, days)[0]
    total = 0
    for length, duration, number in ((30, "30 days", thirty), (7, "7 days", seven), (1, "1 day", one)):
        for i in range(number):
            total += tools.buy_licence(boat_id=boat["id"], duration=duration, valid_from=day)["licence"]["price_cents"]
            day = _plus(day, length)
    return {"outcome": "done", "answers": {"price": total}, "reason": None,
            "message": "%s is licensed for the whole stay; the new licences cost %.2f euro." % (p["boat"], total / 100)}


def goal_has_the_cheapest_licences(world, p):
    """The boat has new licences that cover the rest of the stay for the least money, the longest first."""
    rows = [c["after"] for c in world.changes if c["table"] == "licences" and c["before"] is None and c["after"]["boat_id"] == p["id"]]
    return sorted([r["duration"], r["valid_from"], r["valid_to"], r["price_cents"]] for r in rows) == sorted(p["rows"])


def goal_says_the_price(world, p):
    """Says what they cost together."""
    return world.report.says("price", p["price"])


def guard_adds_licences_of_the_boat_only(world, p):
    """Changed nothing but new licences of the boat, for the days that were not covered."""
    if len(world.changes) > len(p["rows"]):
        return False
    for c in world.changes:
        if c["table"] != "licences" or c["before"] is not None or c["after"]["boat_id"] != p["id"] or c["after"]["class_id"] != p["class_id"]:
            return False
    return True


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done") and world.report.reason is None
