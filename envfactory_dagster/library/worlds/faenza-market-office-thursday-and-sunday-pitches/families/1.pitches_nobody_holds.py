import datetime

PLACES = (
    ("in the square, on either side", ("podesta_side", "comune_side")), ("on the Comune side of the square", ("comune_side",)),
    ("on the Podestà side of the square", ("podesta_side",)), ("in Via Severoli", ("via_severoli",)), ("in Via Pistocchi", ("via_pistocchi",)),
    ("in Via Severoli or Via Pistocchi", ("via_severoli", "via_pistocchi")),
)

FIRST = ("Adele", "Bruno", "Carla", "Dante", "Elvira", "Fiorenzo", "Gina", "Italo", "Loretta", "Mirko", "Norina", "Otello", "Piera", "Quinto", "Rosanna", "Sergio", "Tosca", "Ubaldo", "Vera", "Walter")
LAST = (
    "Albonetti", "Baccarini", "Cavallari", "Donati", "Emiliani", "Farolfi", "Gaudenzi", "Lusa", "Melandri", "Naldi", "Ortolani", "Pasini", "Randi",
    "Sangiorgi", "Timoncini", "Utili", "Venturi", "Zauli", "Argnani", "Bubani", "Castellari", "Drei", "Errani", "Fenati", "Ghinassi", "Lolli",
    "Mazzotti", "Nati", "Olmi", "Piazza", "Resta", "Spadoni", "Tampelli", "Valtieri", "Zannelli", "Bandoli",
)
TRADES = (
    ("food", "fruit_vegetables", 1, "Frutta"), ("food", "bread", 2, "Pane"), ("food", "other_food", 2, "Conserve"), ("food", "cured_meat", 2, "Salumi"),
    ("non_food", "clothing", 4, "Abbigliamento"), ("non_food", "shoes", 4, "Calzature"), ("non_food", "household", 4, "Casalinghi"), ("non_food", "plants_flowers", 5, "Piante"),
)


def _open(rows, held, fair, turns, metres):
    """Codes of the pitches that nobody holds and that are not kept for the fair or the cheese sellers."""
    result = []
    for row in rows:
        if row["status"] != "in_use" or row["front_m"] < metres or row["id"] in held or row["id"] in turns:
            continue
        if fair and row["row_name"] == "podesta_side":
            continue
        result.append(row["code"])
    return result


def instances(world, rng):
    """A market day to come, a part of the market and the length of a stall, so that one to six pitches fit."""
    days = world.query(
        "SELECT id, held_on, weekday, antiques_fair FROM market_days WHERE held_on > ? AND held_on <= ? AND status = 'planned' AND moved_from_on IS NULL ORDER BY held_on",
        [world.clock[:10], (datetime.date.fromisoformat(world.clock[:10]) + datetime.timedelta(days=42)).isoformat()])
    rows = world.query("SELECT id, code, row_name, number, front_m, status, sector FROM pitches ORDER BY id")
    held = {w: set() for w in ("thursday", "sunday")}
    for c in world.query("SELECT weekday, pitch_id FROM concessions WHERE ended_on IS NULL ORDER BY weekday, pitch_id"):
        held[c["weekday"]].add(c["pitch_id"])
    turns = {}
    for t in world.query("SELECT market_day_id, pitch_id FROM replacement_turns WHERE status = 'planned' ORDER BY market_day_id, pitch_id"):
        turns.setdefault(t["market_day_id"], set()).add(t["pitch_id"])
    last = world.one("SELECT (SELECT max(id) FROM traders) AS t, (SELECT max(id) FROM concessions) AS c")
    never = {"thursday": ("S9",), "sunday": ("S9", "P34", "S1", "S8", "T7", "T6")}
    for _ in range(600):
        day = rng.choice(days)
        place, names = rng.choice(PLACES[:1] * 4 + PLACES[1:])
        metres = rng.choice((5.5, 5.5, 6, 6, 6.5, 7))
        fair = day["antiques_fair"] == "planned"
        if fair and names == ("podesta_side",):
            continue
        kept = turns.get(day["id"], set())
        inside = [r for r in rows if r["row_name"] in names]
        empty = [r for r in inside if r["status"] == "in_use" and r["id"] not in held[day["weekday"]] and r["code"] not in never[day["weekday"]]]
        left = rng.sample(empty, min(len(empty), rng.randint(2, 5)))
        filled = [r for r in empty if r not in left]
        surnames = rng.sample(LAST, len(filled)) if len(filled) <= len(LAST) else []
        if len(surnames) != len(filled):
            continue
        traders, concessions = [], []
        for n, (pitch, surname) in enumerate(zip(filled, surnames)):
            _, goods, category, word = rng.choice([t for t in TRADES if t[0] == pitch["sector"]])
            traders.append({
                "id": last["t"] + 1 + n, "name": f"{rng.choice(FIRST)} {surname}", "business_name": f"{surname} {word}", "goods": goods, "is_local_producer": 0,
                "registered_on": f"{rng.randint(1988, 2012)}-0{rng.randint(1, 9)}-1{rng.randint(0, 9)}",
            })
            concessions.append({
                "id": last["c"] + 1 + n, "trader_id": last["t"] + 1 + n, "pitch_id": pitch["id"], "weekday": day["weekday"], "price_category_id": category,
                "suspended_on_fairs": 1 if day["weekday"] == "sunday" and pitch["row_name"] == "podesta_side" else 0, "status": "active",
                "granted_on": f"{rng.randint(2013, 2024)}-0{rng.randint(1, 9)}-01",
            })
        now = held[day["weekday"]] | {c["pitch_id"] for c in concessions}
        found = _open(inside, now, fair, kept, metres)
        if not 1 <= len(found) <= 6:
            continue
        given = {"traders": traders, "concessions": concessions} if traders else {}
        yield {"p": {"day": day["held_on"], "place": place, "metres": f"{metres:g}"}, "given": given}


def solve(tools, p):
    day = tools.list_market_days(first_day=p["day"], last_day=p["day"])["market_days"][0]
    fair = day["antiques_fair"] not in ("none", "called_off_in_time")
    kept = {t["pitch_id"] for t in tools.list_replacement_turns(first_day=p["day"], last_day=p["day"])["replacement_turns"] if t["status"] == "planned"}
    free = []
    for row_name in next(names for place, names in PLACES if place == p["place"]):
        if fair and row_name == "podesta_side":
            continue
        for pitch in tools.search_pitches(row_name=row_name, status="in_use", min_front_m=float(p["metres"]))["pitches"]:
            if pitch["id"] in kept:
                continue
            if not any(c["weekday"] == day["weekday"] for c in tools.get_pitch(pitch_id=pitch["id"])["concessions"]):
                free.append(pitch["code"])
    return {
        "outcome": "done",
        "answers": {"pitches": free},
        "reason": None,
        "message": f"On {p['day']} nobody holds {', '.join(free)}.",
    }


def goal_says_which_pitches(world, p):
    """Says which pitches of that length nobody holds or is kept for on that day."""
    day = world.initial.one("SELECT id, weekday, antiques_fair FROM market_days WHERE held_on = ?", [p["day"]])
    rows = [r for r in world.initial.query("SELECT id, code, row_name, number, front_m, status FROM pitches ORDER BY row_name, number") if r["row_name"] in next(n for place, n in PLACES if place == p["place"])]
    held = {r["pitch_id"] for r in world.initial.query("SELECT pitch_id FROM concessions WHERE weekday = ? AND ended_on IS NULL", [day["weekday"]])}
    turns = {r["pitch_id"] for r in world.initial.query("SELECT pitch_id FROM replacement_turns WHERE market_day_id = ? AND status = 'planned'", [day["id"]])}
    return world.report.says("pitches", _open(rows, held, day["antiques_fair"] == "planned", turns, float(p["metres"])))


def guard_changes_nothing(world, p):
    """Changed nothing."""
    return world.changes == []


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")
