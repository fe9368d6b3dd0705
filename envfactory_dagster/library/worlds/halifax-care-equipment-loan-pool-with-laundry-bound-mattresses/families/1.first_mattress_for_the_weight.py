import datetime

BIG_PEOPLE = ("my brother Wendell", "my uncle Roscoe", "my cousin Odette", "my neighbour Clyde", "my aunt Philippa", "my son-in-law Brent", "my sister Marjorie", "my old friend Lowell", "my godfather Angus", "my niece Tamsin")
LIMITS = (140.0, 150.0, 165.0, 165.0, 190.0, 190.0, 220.0)
MODELS = (("Harrow Bay", "Ripple"), ("Harrow Bay", "Ripple Plus"), ("Sandvik Care", "Stillwater"), ("Sandvik Care", "Stillwater XL"))


def _out_of_laundry(closed, dropped_on):
    """The day after the 5th full laundry working day."""
    day = datetime.date.fromisoformat(dropped_on)
    full_days = 0
    while full_days < 5:
        day += datetime.timedelta(days=1)
        if day.weekday() < 5 and day.isoformat() not in closed:
            full_days += 1
    return (day + datetime.timedelta(days=1)).isoformat()


def _fitting(base, weight):
    """The mattresses at the laundry that carry the weight and are under no open recall, the first to come out first."""
    closed = {row["day"] for row in base.query("SELECT day FROM laundry_closed_days ORDER BY day DESC")}
    rows = base.query(
        "SELECT i.tag, s.dropped_on FROM laundry_stays s JOIN items i ON i.id = s.item_id"
        " WHERE s.status = 'at_laundry' AND i.weight_limit_kg >= ? AND NOT EXISTS (SELECT 1 FROM recall_items x"
        " JOIN recalls r ON r.id = x.recall_id WHERE x.item_id = i.id AND r.status = 'open' AND x.outcome IS NULL)"
        " ORDER BY i.id",
        [weight],
    )
    return sorted((_out_of_laundry(closed, row["dropped_on"]), row["tag"]) for row in rows)


def instances(world, rng):
    """A weight, and a laundry full of mattresses of which one that carries it and is not recalled comes out first."""
    today = datetime.date.fromisoformat(world.clock[:10])
    kind = world.one("SELECT id FROM item_types WHERE name = 'pressure mattress'")["id"]
    closed = {row["day"] for row in world.query("SELECT day, reason FROM laundry_closed_days ORDER BY day")}
    last_item = world.one("SELECT MAX(id) AS id FROM items")["id"]
    last_stay = world.one("SELECT MAX(id) AS id FROM laundry_stays")["id"]
    last_recall = world.one("SELECT MAX(id) AS id FROM recalls")["id"]
    days = [today - datetime.timedelta(days=back) for back in range(1, 9)]
    days = [day for day in days if day.weekday() < 5 and day.isoformat() not in closed]
    here = world.query(
        "SELECT i.tag, i.weight_limit_kg, s.dropped_on FROM laundry_stays s JOIN items i ON i.id = s.item_id"
        " WHERE s.status = 'at_laundry' ORDER BY s.id"
    )
    for _ in range(3000):
        weight = rng.choice((141, 144, 148, 150, 151, 155, 158, 162, 165, 166, 169, 174, 178, 183, 187, 190))
        given = {"items": [], "laundry_stays": [], "recalls": [], "recall_items": []}
        recalled = rng.sample(MODELS, rng.choice((1, 2)))
        for number, (maker, model) in enumerate(recalled):
            given["recalls"].append({"id": last_recall + 1 + number, "item_type_id": kind, "maker": maker, "model": model, "serial_from": None, "serial_to": None, "reason": rng.choice(("Pump may overheat", "Cover lets fluid in", "Valve can stick")), "status": "open", "opened_on": (today - datetime.timedelta(days=rng.randint(2, 25))).isoformat(), "closed_on": None})
        found = [(_out_of_laundry(closed, row["dropped_on"]), row["tag"]) for row in here if row["weight_limit_kg"] >= weight]
        for number in range(rng.randint(19, 28)):
            maker, model = rng.choice(MODELS)
            item = last_item + 1 + number
            tag = f"M-{100 + number * 3 + rng.randint(0, 2)}"
            limit = rng.choice(LIMITS)
            dropped = rng.choice(days).isoformat()
            given["items"].append({"id": item, "tag": tag, "item_type_id": kind, "maker": maker, "model": model, "serial": f"HS{7000 + number}", "weight_limit_kg": limit, "width_cm": 88.0, "status": "at_laundry"})
            given["laundry_stays"].append({"id": last_stay + 1 + number, "item_id": item, "dropped_on": dropped, "status": "at_laundry", "ended_on": None})
            if (maker, model) in recalled:
                given["recall_items"].append({"recall_id": last_recall + 1 + recalled.index((maker, model)), "item_id": item, "outcome": None})
            elif limit >= weight:
                found.append((_out_of_laundry(closed, dropped), tag))
        found.sort()
        if len(found) < 2 or found[0][0] == found[1][0] or not given["recall_items"]:
            continue
        yield {"p": {"name": rng.choice(BIG_PEOPLE), "weight": weight}, "given": given}


def solve(tools, p):
    fitting = []
    for stay in tools.list_laundry_stays(status="at_laundry")["laundry_stays"]:
        item = tools.get_item(item_id=stay["item_id"])
        recalled = any(recall["status"] == "open" and recall["outcome"] is None for recall in item["recalls"])
        if item["weight_limit_kg"] >= p["weight"] and not recalled:
            fitting.append((stay["free_from"], stay["tag"]))
    first_day, tag = min(fitting)
    return {
        "outcome": "done",
        "answers": {"mattresses": len(fitting), "first_day": first_day, "first_tag": tag},
        "reason": None,
        "message": f"{len(fitting)} of the mattresses at the laundry would do; the first, {tag}, may go out on {first_day}.",
    }


def goal_says_how_many_would_do(world, p):
    """Says how many mattresses at the laundry carry the weight and are under no open recall."""
    return world.report.says("mattresses", len(_fitting(world.initial, p["weight"])))


def goal_says_when_the_first_comes_out(world, p):
    """Says on which day the first of them may go out."""
    return world.report.says("first_day", _fitting(world.initial, p["weight"])[0][0])


def goal_names_the_first(world, p):
    """Names the one that comes out first by its tag."""
    return world.report.says("first_tag", _fitting(world.initial, p["weight"])[0][1])


def guard_changes_nothing(world, p):
    """Changed nothing."""
    return len(world.changes) == 0


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done") and world.report.reason is None
