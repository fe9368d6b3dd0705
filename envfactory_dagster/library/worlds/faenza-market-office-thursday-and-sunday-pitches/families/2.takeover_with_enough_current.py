import datetime


def _day_cents(rate, front, corner, row_name):
    """What a holder pays for a full market day, in cents."""
    top = rate * int(front * 2) * (115 if corner else 100) * (90 if row_name == "via_pistocchi" else 100)
    return max(600, (top + 10000) // 20000)


def _total(cents, days):
    return sum((2 * cents * d["fee_thirds"] + 3) // 6 for d in days)


def instances(world, rng):
    """Three businesses of one price category to be had on one market, and the current that is needed."""
    today = datetime.date.fromisoformat(world.clock[:10])
    offers = world.query(
        "SELECT c.weekday AS weekday, c.price_category_id AS category, c.trader_id AS trader_id, t.name AS name, p.id AS pitch_id, p.front_m AS front_m, p.is_corner AS is_corner,"
        " p.row_name AS row_name, k.holder_cents_per_m AS rate FROM concessions c JOIN traders t ON t.id = c.trader_id JOIN pitches p ON p.id = c.pitch_id"
        " JOIN price_categories k ON k.id = c.price_category_id WHERE c.status = 'active' AND c.suspended_on_fairs = 0 AND c.trader_id <> 1"
        " AND t.goods NOT IN ('cheese', 'fish') AND t.is_local_producer = 0 AND p.status = 'in_use' ORDER BY c.id")
    most = {}
    for r in world.query("SELECT x.pitch_id AS pitch_id, max(coalesce(t.max_kw, 99)) AS kw FROM pitch_electricity_tariffs x JOIN electricity_tariffs t ON t.id = x.electricity_tariff_id GROUP BY x.pitch_id ORDER BY x.pitch_id"):
        most[r["pitch_id"]] = r["kw"]
    months = [(2026, m) for m in range(today.month + 1, 12)]
    for _ in range(600):
        weekday = rng.choice(("thursday", "sunday"))
        category = rng.choice((2, 4, 4, 4))
        pool = [o for o in offers if o["weekday"] == weekday and o["category"] == category and sum(x["trader_id"] == o["trader_id"] and x["weekday"] == weekday for x in offers) == 1]
        if len(pool) < 3:
            continue
        three = rng.sample(pool, 3)
        year, month = rng.choice(months[:3])
        first = datetime.date(year, month, 1)
        end_month = min(12, month + rng.choice((2, 3, 3, 5)))
        last = datetime.date(2026, 12, 31) if end_month == 12 else datetime.date(year, end_month + 1, 1) - datetime.timedelta(days=1)
        days = world.query(
            "SELECT fee_thirds FROM market_days WHERE weekday = ? AND held_on BETWEEN ? AND ? AND status = 'planned' ORDER BY held_on", [weekday, first.isoformat(), last.isoformat()])
        kw = rng.choice((0.4, 0.5, 1.2, 1.5, 2.0, 2.5, 3.0, 3.0, 4.5))
        costs = {}
        for o in three:
            if most.get(o["pitch_id"], 0) >= kw:
                costs[o["name"]] = _total(_day_cents(o["rate"], o["front_m"], o["is_corner"], o["row_name"]), days)
        if not costs or len(set(costs.values())) != len(costs) or (len(costs) == 3 and rng.random() < 0.4):
            continue
        yield {"p": {"names": [o["name"] for o in three], "weekday": weekday.capitalize(), "kw": f"{kw:g}", "first": first.isoformat(), "last": last.isoformat()}}


def solve(tools, p):
    weekday = p["weekday"].lower()
    rates = {c["id"]: c["holder_cents_per_m"] for c in tools.get_price_list()["price_categories"]}
    days = [d for d in tools.list_market_days(first_day=p["first"], last_day=p["last"], weekday=weekday)["market_days"] if d["status"] != "called_off"]
    costs = {}
    for name in p["names"]:
        concession = tools.search_concessions(trader_name=name, weekday=weekday, status="active")["concessions"][0]
        shown = tools.get_pitch(pitch_id=concession["pitch_id"])
        if not any(t["max_kw"] is None or t["max_kw"] >= float(p["kw"]) for t in shown["electricity_tariffs"]):
            continue
        pitch = shown["pitch"]
        costs[name] = _total(_day_cents(rates[concession["price_category_id"]], pitch["front_m"], pitch["is_corner"], pitch["row_name"]), days)
    best = min(costs, key=costs.get)
    return {
        "outcome": "done",
        "answers": {"whose_business": best, "fees": costs[best]},
        "reason": None,
        "message": f"{best}'s pitch costs least, {costs[best] / 100:.2f} euro for that time.",
    }


def _right(world, p):
    weekday = p["weekday"].lower()
    days = world.initial.query("SELECT fee_thirds, held_on FROM market_days WHERE weekday = ? AND held_on BETWEEN ? AND ? AND status <> 'called_off' ORDER BY held_on", [weekday, p["first"], p["last"]])
    costs = []
    for name in p["names"]:
        row = world.initial.one(
            "SELECT p.front_m AS front_m, p.is_corner AS is_corner, p.row_name AS row_name, k.holder_cents_per_m AS rate,"
            " (SELECT max(coalesce(e.max_kw, 99)) FROM pitch_electricity_tariffs x JOIN electricity_tariffs e ON e.id = x.electricity_tariff_id WHERE x.pitch_id = p.id) AS kw"
            " FROM concessions c JOIN traders t ON t.id = c.trader_id JOIN pitches p ON p.id = c.pitch_id JOIN price_categories k ON k.id = c.price_category_id"
            " WHERE t.name = ? AND c.weekday = ? AND c.status = 'active'",
            [name, weekday])
        if row["kw"] is not None and row["kw"] >= float(p["kw"]):
            costs.append((_total(_day_cents(row["rate"], row["front_m"], row["is_corner"], row["row_name"]), days), name))
    return min(costs)


def goal_says_whose_business(world, p):
    """Says whose pitch has the current and costs least."""
    return world.report.says("whose_business", _right(world, p)[1])


def goal_says_the_fees(world, p):
    """Says what the fees for it come to."""
    return world.report.says("fees", _right(world, p)[0])


def guard_changes_nothing(world, p):
    """Changed nothing."""
    return world.changes == []


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")
