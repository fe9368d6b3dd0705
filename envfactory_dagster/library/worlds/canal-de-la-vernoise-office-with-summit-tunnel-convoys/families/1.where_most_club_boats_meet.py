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
    """Boats of a club with bookings there and back; one convoy has more of them than any other."""
    today = world.clock[:10]
    convoys = world.query(
        "SELECT c.id, c.day, c.leaves_at, t.direction, k.most_boats - COUNT(p.id) AS free FROM convoys c JOIN timetable t ON t.id = c.slot_id"
        " JOIN convoy_kinds k ON k.id = t.letter_id LEFT JOIN passages p ON p.convoy_id = c.id AND p.status IN ('booked', 'listed', 'controlled')"
        " WHERE k.letter = 'EL' AND c.status = 'planned' AND c.day > ? GROUP BY c.id ORDER BY c.leaves_at", [today])
    end = convoys[-1]["day"]
    for turn in range(600):
        names = _free_names(world, rng)
        size = rng.randint(4, 6)
        club = names[:size]
        together = rng.randint(2, min(4, size - 1))
        best = rng.choice(convoys)
        if best["free"] < together:
            continue
        free = {c["id"]: c["free"] for c in convoys}
        has = {c["id"]: [] for c in convoys}
        trips = {n: [] for n in club}
        for n in club[:together]:
            trips[n].append(best)
            has[best["id"]].append(n)
        bad = False
        for i, n in enumerate(club):
            for k in range(rng.randint(0, 2) if i < together else rng.randint(1, 2)):
                late = [c for c in convoys if not trips[n] or (c["day"] > trips[n][-1]["day"] and c["direction"] != trips[n][-1]["direction"])]
                late = [c for c in late if c["id"] != best["id"] and len(has[c["id"]]) < together - 1 and free[c["id"]] > len(has[c["id"]])]
                if not late:
                    continue
                c = rng.choice(late[:12])
                trips[n].append(c)
                has[c["id"]].append(n)
        if sum(len(v) for v in trips.values()) < together + 2:
            continue
        new = _start(world)
        for n in club:
            owner = _person(new, rng, world.clock)
            boat = _boat(new, rng, owner["id"], n, round(rng.uniform(6.2, 13.6), 1), _register_day(rng))
            _licence(new, boat, _plus(today, -rng.randint(1, 5)))
            for c in trips[n]:
                _booking(new, rng, boat, c["id"], world.clock)
        shown = list(club)
        rng.shuffle(shown)
        last = end if best["day"] > _plus(end, -1) or rng.random() < 0.7 else _plus(end, -1)
        yield {"p": {"names": shown, "first": _plus(today, rng.choice((0, 0, 1)) if best["day"] > today else 0), "last": last,
                     "day": best["day"], "direction": best["direction"], "in_it": sorted(club[:together])}, "given": _rows(new)}


def solve(tools, p):
    found = []
    for c in tools.search_convoys(first_day=p["first"], last_day=p["last"], letter="EL", status="planned")["convoys"]:
        on_list = tools.get_convoy(convoy_id=c["id"])["boats_on_list"]
        ours = sorted(b["boat_name"] for b in on_list if b["boat_name"] in p["names"])
        found.append((len(ours), c["day"], c["direction"], ours))
    most = max(found, key=lambda f: f[0])
    return {"outcome": "done", "answers": {"day": most[1], "direction": most[2], "boats": most[3]}, "reason": None,
            "message": "Most of them go %s on %s: %s." % (most[2], most[1], ", ".join(most[3]))}


def goal_says_the_day(world, p):
    """Says the day of the convoy with most of the boats."""
    return world.report.says("day", p["day"])


def goal_says_the_direction(world, p):
    """Says which way it goes."""
    return world.report.says("direction", p["direction"])


def goal_names_the_boats(world, p):
    """Names the boats of the club in it."""
    return world.report.says("boats", p["in_it"])


def guard_changes_nothing(world, p):
    """Changed nothing."""
    return len(world.changes) == 0


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done") and world.report.reason is None
