FISHMONGERS = (
    ("Loris Baldini", "Pescheria Baldini, Cesenatico"), ("Debora Magnani", "Magnani Pesce, Rimini"), ("Tiziano Pari", "Pari Pesce Azzurro, Cattolica"),
    ("Oriana Bagnoli", "Pescheria Bagnoli, Cervia"), ("Mauro Zanzani", "Zanzani Pesce Fresco, Marina di Ravenna"),
)


def _neighbours(row, rows):
    return [r for r in rows if r["row_name"] == row["row_name"] and abs(r["number"] - row["number"]) == 1]


def instances(world, rng):
    """Three food stalls of one market day that are to be had, of which some stand beside a fishmonger or are too short."""
    pitches = world.query("SELECT id, code, row_name, number, front_m, sector, status FROM pitches ORDER BY row_name, number, id")
    standing = world.query(
        "SELECT c.weekday AS weekday, c.pitch_id AS pitch_id, c.status AS status, c.trader_id AS trader_id, t.name AS name, t.goods AS goods FROM concessions c"
        " JOIN traders t ON t.id = c.trader_id WHERE c.ended_on IS NULL ORDER BY c.weekday, c.pitch_id")
    turns = {t["pitch_id"] for t in world.query("SELECT DISTINCT pitch_id FROM replacement_turns ORDER BY pitch_id")}
    last = world.one("SELECT (SELECT max(id) FROM traders) AS t, (SELECT max(id) FROM concessions) AS c, count(*) AS n FROM traders")
    by_id = {p["id"]: p for p in pitches}
    for _ in range(600):
        weekday = rng.choice(("thursday", "sunday"))
        now = [s for s in standing if s["weekday"] == weekday]
        held = {s["pitch_id"]: s["goods"] for s in now}
        given = {}
        if rng.random() < 0.7:
            cheese = {p["id"] for p in pitches if held.get(p["id"]) == "cheese"} | turns
            spots = [
                p for p in pitches
                if p["sector"] == "food" and p["status"] == "in_use" and p["id"] not in held and p["id"] not in turns
                and not any(n["id"] in cheese for n in _neighbours(p, pitches)) and any(n["id"] in held for n in _neighbours(p, pitches))
            ]
            if spots:
                spot = rng.choice(spots)
                name, business = rng.choice(FISHMONGERS)
                held[spot["id"]] = "fish"
                given = {
                    "traders": [{"id": last["t"] + 1, "name": name, "business_name": business, "goods": "fish", "is_local_producer": 0, "registered_on": rng.choice(("1998-05-11", "2006-09-04", "2013-02-25"))}],
                    "concessions": [{
                        "id": last["c"] + 1, "trader_id": last["t"] + 1, "pitch_id": spot["id"], "weekday": weekday, "price_category_id": 3, "suspended_on_fairs": 0,
                        "status": "active", "granted_on": rng.choice(("2014-03-01", "2018-10-01", "2022-05-01")),
                    }],
                }
        offers = [
            s for s in now
            if s["trader_id"] != 1 and s["status"] == "active" and by_id[s["pitch_id"]]["sector"] == "food" and s["goods"] not in ("fish", "cheese")
            and sum(x["trader_id"] == s["trader_id"] for x in now) == 1
        ]
        if len(offers) < 3:
            continue
        three = rng.sample(offers, 3)
        metres = rng.choice((5.5, 6, 6.5, 7))
        fit, beside = [], 0
        for s in three:
            pitch = by_id[s["pitch_id"]]
            fish = any(held.get(n["id"]) == "fish" for n in _neighbours(pitch, pitches))
            beside += fish
            if not fish and pitch["front_m"] >= metres:
                fit.append(s["name"])
        if not fit or (beside == 0 and rng.random() < 0.85):
            continue
        yield {"p": {"names": [s["name"] for s in three], "weekday": weekday.capitalize(), "metres": f"{metres:g}"}, "given": given}


def solve(tools, p):
    weekday = p["weekday"].lower()
    fit = []
    for name in p["names"]:
        for concession in tools.search_concessions(trader_name=name, weekday=weekday, status="active")["concessions"]:
            pitch = tools.get_pitch(pitch_id=concession["pitch_id"])["pitch"]
            if pitch["front_m"] < float(p["metres"]):
                continue
            fish = False
            for other in tools.search_pitches(row_name=pitch["row_name"])["pitches"]:
                if abs(other["number"] - pitch["number"]) == 1:
                    fish = fish or any(c["weekday"] == weekday and c["goods"] == "fish" for c in tools.get_pitch(pitch_id=other["id"])["concessions"])
            if not fish:
                fit.append(name)
    return {
        "outcome": "done",
        "answers": {"whose_pitch": fit},
        "reason": None,
        "message": f"A cheese stall of {p['metres']} m could stand on the pitch of {', '.join(fit)}.",
    }


def goal_says_whose_pitch_would_do(world, p):
    """Says on whose pitches a cheese stall of that length could stand."""
    weekday = p["weekday"].lower()
    rows = world.initial.query(
        "SELECT t.name AS name, t.goods AS goods, p.row_name AS row_name, p.number AS number, p.front_m AS front_m FROM concessions c JOIN traders t ON t.id = c.trader_id"
        " JOIN pitches p ON p.id = c.pitch_id WHERE c.weekday = ? AND c.ended_on IS NULL ORDER BY p.row_name, p.number",
        [weekday])
    fit = []
    for name in p["names"]:
        own = next(r for r in rows if r["name"] == name)
        if own["front_m"] >= float(p["metres"]) and not any(r["goods"] == "fish" for r in _neighbours(own, rows)):
            fit.append(name)
    return world.report.says("whose_pitch", fit)


def guard_changes_nothing(world, p):
    """Changed nothing."""
    return world.changes == []


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")
