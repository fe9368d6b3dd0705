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
    """Boats of the user booked for today's electric convoy south, at the basin, elsewhere or nowhere."""
    today = world.clock[:10]
    convoy = world.one(
        "SELECT c.id, c.leaves_at, k.deposit_cents, k.most_boats - (SELECT COUNT(*) FROM passages p WHERE p.convoy_id = c.id"
        " AND p.status IN ('booked', 'listed', 'controlled')) AS free FROM convoys c JOIN timetable t ON t.id = c.slot_id"
        " JOIN convoy_kinds k ON k.id = t.letter_id WHERE t.convoy = 'EL2' AND c.status = 'planned' AND c.day = ?", [today])
    moorings = {m["mooring_code"]: m["id"] for m in world.query("SELECT id, mooring_code FROM moorings WHERE between_locks = '16-17' AND mooring_code LIKE 'ESS%'")}
    if convoy is None or convoy["free"] < 3:
        return
    for turn in range(600):
        names = _free_names(world, rng)
        size = 3 if convoy["free"] == 3 else rng.randint(3, 4)
        new = _start(world)
        there, seal, missing, deposit = [], [], [], 0
        shown = []
        for i in range(size):
            at_basin = i == 0 or (i != size - 1 and rng.random() < 0.6)
            hybrid = rng.random() < 0.4
            old = not hybrid and rng.random() < 0.15
            register = None if hybrid else ("200%d-0%d-1%d" % (rng.randint(5, 9), rng.randint(3, 9), rng.randint(0, 9)) if old else _register_day(rng))
            place = "ESS-01" if at_basin else rng.choice(("ESS-02", "ESS-03", None))
            hour = "%sT%02d:%02d:00" % (today, rng.randint(8, 10), rng.randint(0, 59)) if place else None
            sealed = "%sT11:%02d:00" % (today, rng.randint(1, 30)) if hybrid and at_basin and rng.random() < 0.4 else None
            boat = _boat(new, rng, 1, names[i], round(rng.uniform(6.2, 13.6), 1), register, "hybrid" if hybrid else "electric",
                         moorings[place] if place else None, hour, sealed)
            _licence(new, boat, _plus(today, -rng.randint(2, 8)))
            booking = _booking(new, rng, boat, convoy["id"], world.clock, seal=600 if hybrid else 0)
            shown.append(names[i])
            if at_basin:
                there.append(booking["id"])
                deposit += 0 if old else convoy["deposit_cents"]
                if hybrid and sealed is None:
                    seal.append(boat["id"])
            else:
                missing.append(names[i])
        rng.shuffle(shown)
        if deposit == 0:
            continue
        yield {"p": {"names": shown, "there": there, "seal": seal, "missing": sorted(missing), "deposit": deposit}, "given": _rows(new)}


def solve(tools, p):
    basin = "ESS-01"
    booked = tools.list_passages(status="booked")["passages"]
    today = min(x["day"] for x in booked if x["boat_name"] in p["names"])
    deposit = 0
    missing = []
    for name in p["names"]:
        boat = next(b for b in tools.list_boats(name=name)["boats"] if b["name"] == name)
        if boat["mooring_code"] != basin:
            missing.append(name)
            continue
        passage = next(x for x in booked if x["boat_id"] == boat["id"] and x["day"] == today and x["direction"] == "south" and x["letter"] == "EL")
        if boat["propulsion"] == "hybrid" and boat["engine_sealed_at"] is None:
            tools.seal_engine(boat_id=boat["id"])
        deposit += tools.check_in_passage(passage_id=passage["id"])["passage"]["deposit_cents"]
    missing.sort()
    return {"outcome": "done", "answers": {"deposit": deposit, "missing": missing}, "reason": None,
            "message": "Checked in all that lie at %s; the deposit is %.2f euro, and still missing: %s." % (basin, deposit / 100, ", ".join(missing))}


def goal_those_at_the_basin_are_checked_in(world, p):
    """Every boat at the basin is on the list."""
    for passage in p["there"]:
        if world.final.one("SELECT status FROM passages WHERE id = ?", [passage])["status"] != "listed":
            return False
    return True


def goal_says_the_deposit(world, p):
    """Says the deposit altogether."""
    return world.report.says("deposit", p["deposit"])


def goal_names_the_missing(world, p):
    """Names the boats that are not at the basin."""
    return world.report.says("missing", p["missing"])


def guard_touches_these_boats_only(world, p):
    """Changed nothing but the passages of the boats at the basin, by checking them in, and the seals of hybrids among them."""
    for c in world.changes:
        if c["before"] is None or c["after"] is None:
            return False
        touched = {k for k in c["before"] if c["before"][k] != c["after"][k]}
        if c["table"] == "passages":
            if c["before"]["id"] not in p["there"] or not touched <= {"status", "arrived_at", "deposit_cents", "deposit_status"} or c["after"]["status"] != "listed":
                return False
        elif c["table"] == "boats":
            if c["before"]["id"] not in p["seal"] or touched != {"engine_sealed_at"} or c["after"]["engine_sealed_at"] is None:
                return False
        else:
            return False
    return True


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done") and world.report.reason is None
