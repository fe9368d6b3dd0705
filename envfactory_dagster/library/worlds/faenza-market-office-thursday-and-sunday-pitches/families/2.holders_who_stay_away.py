def instances(world, rng):
    """Holders of one market of whom one to three have missed many market days this year, and one nearly as many."""
    standing = world.query(
        "SELECT c.id AS id, c.weekday AS weekday, c.suspended_on_fairs AS susp, t.name AS name, c.status AS status, p.front_m AS front_m, p.sector AS sector FROM concessions c"
        " JOIN traders t ON t.id = c.trader_id JOIN pitches p ON p.id = c.pitch_id WHERE c.ended_on IS NULL AND c.trader_id <> 1 ORDER BY c.id")
    marked = {
        (r["concession_id"]): r for r in world.query(
            "SELECT p.concession_id AS concession_id, count(*) AS n, sum(p.status = 'absent' AND m.absences_count = 1) AS absent FROM presences p JOIN market_days m ON m.id = p.market_day_id"
            " WHERE m.held_on >= '2026-01-01' GROUP BY p.concession_id ORDER BY p.concession_id")
    }
    days = world.query(
        "SELECT id, held_on, weekday, antiques_fair, absences_count FROM market_days WHERE held_on >= '2026-01-01' AND held_on < ? AND status = 'held' ORDER BY held_on", [world.clock[:10]])
    last = world.one("SELECT max(id) AS n FROM presences")["n"]
    for _ in range(600):
        weekday = rng.choice(("thursday", "sunday"))
        sector = rng.choice((None, None, "food", "non_food"))
        group = [s for s in standing if s["weekday"] == weekday and s["status"] == "active" and sector in (None, s["sector"])]
        blank = [s for s in group if s["id"] not in marked and sum(x["name"] == s["name"] and x["weekday"] == weekday for x in standing) == 1]
        if len(group) < 5 or len(blank) < 2:
            continue
        limit = rng.choice((6, 7, 8))
        chosen = rng.sample(blank, min(len(blank), rng.choice((2, 3, 4))))
        presences, answer = [], []
        for n, s in enumerate(chosen):
            own = [d for d in days if d["weekday"] == weekday]
            countable = [d["held_on"] for d in own if d["absences_count"] == 1 and not (s["susp"] and d["antiques_fair"] == "held")]
            if len(countable) < 11:
                break
            misses = limit - rng.choice((1, 2)) if n == len(chosen) - 1 else min(len(countable) - 2, limit + rng.choice((0, 0, 1, 2, 3)))
            gone = set(rng.sample(countable, misses)) | {d["held_on"] for d in own if d["absences_count"] == 0}
            if misses >= limit:
                answer.append(s["name"])
            for d in own:
                status = "suspended" if s["susp"] and d["antiques_fair"] == "held" else "absent" if d["held_on"] in gone else "present"
                presences.append({
                    "id": last + 1 + len(presences), "concession_id": s["id"], "market_day_id": d["id"], "status": status,
                    "marked_at": f"{d['held_on']}T07:{'31' if status == 'absent' else '30'}:00",
                })
        if not answer or any(marked[s["id"]]["absent"] >= limit for s in group if s["id"] in marked):
            continue
        what = {None: "all stalls", "food": "the food stalls", "non_food": "the stalls that do not sell food"}[sector]
        yield {"p": {"weekday": weekday.capitalize(), "what": what, "limit": limit}, "given": {"presences": presences}}


def solve(tools, p):
    query = {"weekday": p["weekday"].lower(), "status": "active"}
    sector = {"the food stalls": "food", "the stalls that do not sell food": "non_food"}.get(p["what"])
    if sector:
        query["sector"] = sector
    mine = tools.get_my_details()["trader"]["id"]
    names = []
    for concession in tools.search_concessions(**query)["concessions"]:
        if concession["trader_id"] != mine and tools.get_concession(concession_id=concession["id"])["unexcused_absences"] >= int(p["limit"]):
            names.append(concession["trader_name"])
    return {
        "outcome": "done",
        "answers": {"holders": names},
        "reason": None,
        "message": f"{', '.join(names)} have missed that many market days this year.",
    }


def goal_says_who_is_away_that_often(world, p):
    """Says which holders have at least that many unexcused absences this year."""
    sectors = {"the food stalls": ("food",), "the stalls that do not sell food": ("non_food",)}.get(p["what"], ("food", "non_food"))
    rows = world.initial.query(
        "SELECT t.name AS name, k.sector AS sector, (SELECT count(*) FROM presences p JOIN market_days m ON m.id = p.market_day_id WHERE p.concession_id = c.id AND p.status = 'absent'"
        " AND m.absences_count = 1 AND m.held_on >= '2026-01-01') AS n FROM concessions c JOIN traders t ON t.id = c.trader_id JOIN price_categories k ON k.id = c.price_category_id"
        " WHERE c.weekday = ? AND c.status = 'active' AND c.trader_id <> 1 ORDER BY c.id",
        [p["weekday"].lower()])
    return world.report.says("holders", [r["name"] for r in rows if r["sector"] in sectors and r["n"] >= p["limit"]])


def guard_changes_nothing(world, p):
    """Changed nothing."""
    return world.changes == []


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")
