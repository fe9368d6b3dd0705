FIRST = ("Agata", "Biagio", "Clara", "Donato", "Edda", "Fulvio", "Gemma", "Ivano", "Livia", "Nello", "Olga", "Pino", "Rina", "Sauro", "Tea", "Umberto", "Vilma", "Zeno")
LAST = (
    "Assirelli", "Bertoni", "Capra", "Dalpozzo", "Ercolani", "Foschini", "Gordini", "Laghi Pasi", "Marabini", "Nannini", "Orselli", "Poggi", "Querzoli", "Rontini",
    "Sabbatani", "Tarozzi", "Valentini", "Zannoni", "Bacchilega", "Calderoni", "Fantini", "Graziani",
)
WHO = ("my brother-in-law", "my nephew", "a friend of mine", "a cousin of mine", "my neighbour", "my sister's husband")
PACKS = ("battery packs", "solar batteries", "power packs on wheels", "rechargeable batteries")
WARES = (
    ("food", "fruit_vegetables", 1, "Ortofrutta"), ("food", "bread", 2, "Forno"), ("food", "other_food", 2, "Dolciumi"),
    ("non_food", "clothing", 4, "Moda"), ("non_food", "household", 4, "Articoli per la Casa"), ("non_food", "ceramics", 4, "Ceramiche"), ("non_food", "plants_flowers", 5, "Fiori"),
)


def instances(world, rng):
    """A nearly full market and the current that somebody needs, so that one to four holders cannot have it."""
    pitches = world.query("SELECT p.id AS id, p.code AS code, p.sector AS sector, p.row_name AS row_name, p.status AS status FROM pitches p ORDER BY p.row_name DESC, p.number")
    most = {r["pitch_id"]: r["kw"] for r in world.query(
        "SELECT x.pitch_id AS pitch_id, max(coalesce(e.max_kw, 50)) AS kw FROM electricity_tariffs e JOIN pitch_electricity_tariffs x ON x.electricity_tariff_id = e.id GROUP BY x.pitch_id ORDER BY x.pitch_id DESC")}
    taken = {w: {} for w in ("thursday", "sunday")}
    for c in world.query("SELECT c.weekday AS weekday, c.pitch_id AS pitch_id, c.status AS status, c.trader_id AS trader_id, t.name AS name FROM concessions c JOIN traders t ON t.id = c.trader_id WHERE c.ended_on IS NULL ORDER BY c.id DESC"):
        taken[c["weekday"]][c["pitch_id"]] = c
    last = world.one("SELECT (SELECT max(id) FROM concessions) AS c, max(id) AS t FROM traders")
    never = {"thursday": ("S9",), "sunday": ("S9", "P34", "S1", "S8", "T7", "T6")}
    for _ in range(600):
        weekday = rng.choice(("thursday", "sunday"))
        there = taken[weekday]
        if any(c["status"] != "active" for c in there.values()) and rng.random() < 0.2:
            continue
        kw = rng.choice((0.4, 1.0, 1.2, 1.8, 2.0, 2.4, 2.8))
        empty = [p for p in pitches if p["id"] not in there and p["status"] == "in_use" and p["code"] not in never[weekday]]
        weak = [p for p in empty if most.get(p["id"], 0) < kw]
        strong = [p for p in empty if p not in weak]
        some = rng.sample(weak, rng.randint(0, len(weak))) + rng.sample(strong, min(len(strong), rng.randint(4, 10)))
        rng.shuffle(some)
        traders, concessions = [], []
        for n, (pitch, surname) in enumerate(zip(some, rng.sample(LAST, len(some)))):
            _, goods, category, word = rng.choice([w for w in WARES if w[0] == pitch["sector"]])
            traders.append({
                "id": last["t"] + 1 + n, "name": f"{rng.choice(FIRST)} {surname}", "business_name": f"{surname} {word}", "goods": goods, "is_local_producer": 0,
                "registered_on": f"{rng.randint(1990, 2014)}-1{rng.randint(0, 2)}-0{rng.randint(1, 9)}",
            })
            concessions.append({
                "id": last["c"] + 1 + n, "trader_id": last["t"] + 1 + n, "pitch_id": pitch["id"], "weekday": weekday, "price_category_id": category,
                "suspended_on_fairs": 1 if weekday == "sunday" and pitch["row_name"] == "podesta_side" else 0, "status": "active", "granted_on": f"{rng.randint(2015, 2025)}-0{rng.randint(1, 9)}-01",
            })
        usable = {p["id"] for p in pitches if p["status"] == "in_use"}
        without = [c["name"] for i, c in there.items() if i in usable and most.get(i, 0) < kw and c["status"] == "active" and c["trader_id"] != 1]
        without += [t["name"] for t, c in zip(traders, concessions) if most.get(c["pitch_id"], 0) < kw]
        if any(most.get(i, 0) < kw and c["status"] != "active" for i, c in there.items()) or not 1 <= len(set(without)) == len(without) <= 4:
            continue
        yield {"p": {"weekday": weekday.capitalize(), "kw": f"{kw:g}", "who": rng.choice(WHO), "packs": rng.choice(PACKS)}, "given": {"traders": traders, "concessions": concessions}}


def solve(tools, p):
    me = tools.get_my_details()["trader"]["id"]
    names = []
    for concession in tools.search_concessions(weekday=p["weekday"].lower(), status="active")["concessions"]:
        if concession["trader_id"] == me:
            continue
        shown = tools.get_pitch(pitch_id=concession["pitch_id"])
        if shown["pitch"]["status"] != "in_use":
            continue
        if not any(t["max_kw"] is None or t["max_kw"] >= float(p["kw"]) for t in shown["electricity_tariffs"]):
            names.append(concession["trader_name"])
    return {
        "outcome": "done", "answers": {"holders": names}, "reason": None,
        "message": f"{', '.join(names)} cannot have {p['kw']} kW on their pitches.",
    }


def goal_says_who_cannot_have_the_current(world, p):
    """Says which other holders of that market stand on a usable pitch without that much current."""
    rows = world.initial.query(
        "SELECT t.name AS name FROM concessions c JOIN traders t ON t.id = c.trader_id JOIN pitches p ON p.id = c.pitch_id WHERE c.weekday = ? AND c.status = 'active' AND c.trader_id <> 1"
        " AND p.status = 'in_use' AND NOT EXISTS (SELECT 1 FROM pitch_electricity_tariffs x JOIN electricity_tariffs e ON e.id = x.electricity_tariff_id"
        " WHERE x.pitch_id = p.id AND (e.max_kw IS NULL OR e.max_kw >= ?)) ORDER BY t.name",
        [p["weekday"].lower(), float(p["kw"])])
    return world.report.says("holders", [r["name"] for r in rows])


def guard_changes_nothing(world, p):
    """Changed nothing."""
    return world.changes == []


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")
