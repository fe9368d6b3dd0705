import datetime

SHOWS = (
    "The Mikado", "She Stoops to Conquer", "The School for Scandal", "A Doll's House", "The Country Wife", "Tartuffe",
    "The Gondoliers", "Hedda Gabler", "The Relapse", "Volpone", "The Critic", "Ruddigore", "Princess Ida", "The Sorcerer",
    "Box and Cox", "The Government Inspector", "The Miser", "Peer Gynt", "Uncle Vanya", "The Duchess of Malfi",
    "The Way of the World", "The Recruiting Officer", "An Ideal Husband", "Lady Audley's Secret", "Black-Eyed Susan",
    "The Seagull", "Three Sisters", "Ghosts", "Hamlet", "Macbeth", "As You Like It", "The Tempest", "Cymbeline",
)
KINDS = (
    ("Chorus sailors", "jacket", "19th century", "cotton", "washable", "sailor's jacket"),
    ("Palace guards", "coat", "18th century", "wool", "fur_feather_wool", "guard's coat"),
    ("Village band", "jacket", "Victorian", "wool", "fur_feather_wool", "bandsman's jacket"),
    ("Court pages", "other", "Medieval", "velvet", "dry_clean", "page's tunic"),
    ("Market women", "dress", "18th century", "cotton", "washable", "market woman's dress"),
    ("Highland dancers", "waistcoat", "Victorian", "wool", "fur_feather_wool", "dancer's waistcoat"),
    ("Monastery choir", "habit", "Medieval", "wool", "fur_feather_wool", "chorister's habit"),
    ("Railway porters", "waistcoat", "Edwardian", "cotton", "washable", "porter's waistcoat"),
    ("Temple dancers", "dress", "Ancient", "silk", "dry_clean", "dancer's dress"),
)
COLOURS = ("crimson", "navy", "emerald", "ochre", "silver grey", "plum", "cream", "russet")


def _add(off, day, count):
    moving = datetime.date.fromisoformat(day)
    step = datetime.timedelta(days=1 if count >= 0 else -1)
    left = abs(count)
    while left > 0:
        moving += step
        if moving.weekday() < 5 and moving.isoformat() not in off:
            left -= 1
    return moving.isoformat()


def _customer(tools, name):
    return [c for c in tools.list_my_customers()["customers"] if c["name"] == name][0]


def instances(world, rng):
    """Several matching sets of one kind, of different size, condition and availability, and some weeks for which one is wanted."""
    today = world.clock[:10]
    off = {r["day"] for r in world.query("SELECT day, 'f12' AS f FROM bank_holidays ORDER BY day", [])}
    top = world.one(
        "SELECT 'f12' AS f, (SELECT max(id) FROM sets) AS matching, (SELECT max(id) FROM pieces) AS piece, (SELECT max(id) FROM hires) AS hire,"
        " (SELECT max(id) FROM hire_lines) AS line, (SELECT max(id) FROM cleaning_repair_jobs) AS job",
        [],
    )
    titles = {r["show_title"] for r in world.query("SELECT DISTINCT show_title, 'f12' AS f FROM hires ORDER BY show_title", [])}
    other = world.one(
        "SELECT c.id, 'f12' AS f FROM customers c WHERE c.kind = 'school' AND c.id NOT IN"
        " (SELECT customer_id FROM person_roles WHERE person_id = 1) ORDER BY c.id LIMIT 1",
        [],
    )
    customers = world.query(
        "SELECT c.id, c.name, c.kind, 'f12' AS f FROM customers c WHERE c.id IN (SELECT customer_id FROM person_roles WHERE person_id = 1)"
        " ORDER BY c.id",
        [],
    )
    if not customers or other is None:
        return
    for _ in range(6000):
        customer = rng.choice(customers)
        show = rng.choice([s for s in SHOWS if s not in titles])
        kind = rng.choice(KINDS)
        least = rng.randint(3, 5)
        start = _add(off, today, rng.randint(12, 40))
        weeks = rng.choice((1, 1, 2, 3))
        end = (datetime.date.fromisoformat(start) + datetime.timedelta(days=7 * weeks)).isoformat()
        if end in off:
            continue
        count = rng.randint(5, 7)
        colours = rng.sample(COLOURS, count)
        sizes = [rng.randint(2, 8) for _set in range(count)]
        hows = ["good", "good"] + [rng.choice(("shabby", "worn", "away", "repair", "good")) for _set in range(count - 2)]
        rng.shuffle(hows)
        given = {"sets": [], "pieces": [], "cleaning_repair_jobs": [], "hires": [], "hire_lines": []}
        fits = []
        held = _add(off, today, -2)
        for n in range(count):
            matching = top["matching"] + 1 + n
            name = kind[0] + " in " + colours[n]
            given["sets"].append({"id": matching, "name": name})
            bad = rng.randrange(sizes[n])
            for m in range(sizes[n]):
                piece = top["piece"] + 1 + len(given["pieces"])
                condition = rng.choice(("A", "B", "B"))
                if m == bad and hows[n] == "shabby":
                    condition = "C"
                if m == bad and hows[n] == "worn":
                    condition = "D"
                given["pieces"].append({
                    "id": piece, "number": 20000 + piece,
                    "description": "%s, %s, number %d of %d" % (kind[5][0].upper() + kind[5][1:], colours[n], m + 1, sizes[n]),
                    "garment": kind[1], "period": kind[2], "material": kind[3], "cleaning_class": kind[4], "condition": condition,
                    "replacement_value_cents": 8000, "is_class_p": 0, "is_nativity": 0, "set_id": matching,
                })
                if m == bad and hows[n] == "repair":
                    given["cleaning_repair_jobs"].append({
                        "id": top["job"] + 1 + len(given["cleaning_repair_jobs"]), "piece_id": piece, "kind": "repair",
                        "description": "Collar to be replaced", "reported_on": _add(off, today, -3),
                        "back_on_rail_on": _add(off, start, rng.randint(1, 5)), "paid_by": "store", "status": "open",
                    })
            if hows[n] == "away":
                away_start = _add(off, start, -rng.randint(1, 4))
                away_end = _add(off, away_start, 5)
                given["hires"].append({
                    "id": top["hire"] + 1 + len(given["hires"]), "hire_number": "H-%05d" % (20000 + rng.randint(0, 900) * 10 + n),
                    "customer_id": other["id"], "show_title": "Leavers' revue", "collection_date": away_start, "due_date": away_end,
                    "status": "held", "held_at": held + "T11:20:00", "hold_lapses_at": _add(off, held, 5) + "T16:00:00",
                })
                given["hire_lines"].append({
                    "id": top["line"] + 1 + len(given["hire_lines"]), "hire_id": given["hires"][-1]["id"], "set_id": matching,
                    "fee_cents": 4080, "status": "active",
                })
            if hows[n] == "good" and sizes[n] >= least:
                fits.append({"id": matching, "name": name, "size": sizes[n]})
        for table in ("cleaning_repair_jobs", "hires", "hire_lines"):
            if not given[table]:
                del given[table]
        fits.sort(key=lambda f: f["size"])
        if not fits or (len(fits) > 1 and fits[0]["size"] == fits[1]["size"]):
            continue
        rate = 85 if customer["kind"] == "school" else 100
        fee = ((4800 + (weeks - 1) * 2400) * rate + 50) // 100
        yield {
            "p": {
                "customer": customer["name"], "show": show, "what": kind[0], "least": least, "start": start, "end": end,
                "customer_id": customer["id"], "set_id": fits[0]["id"], "set_name": fits[0]["name"], "size": fits[0]["size"], "fee": fee,
            },
            "given": given,
        }


def solve(tools, p):
    customer = _customer(tools, p["customer"])
    fits = []
    for found in tools.search_sets(text=p["what"])["sets"]:
        if found["piece_count"] < p["least"]:
            continue
        shown = tools.get_set(set_id=found["id"])
        if all(q["condition"] in ("A", "B") for q in shown["pieces"]):
            fits.append(shown)
    items = tools.check_availability(collection_date=p["start"], due_date=p["end"], set_ids=[s["id"] for s in fits])["items"]
    free = {i["set_id"] for i in items if i["is_available"]}
    chosen = min([s for s in fits if s["id"] in free], key=lambda s: len(s["pieces"]))
    hire = tools.place_hold(
        customer_id=customer["id"], show_title=p["show"], collection_date=p["start"], due_date=p["end"], set_ids=[chosen["id"]]
    )
    return {
        "outcome": "done",
        "answers": {"set": chosen["name"], "pieces": len(chosen["pieces"]), "fee": hire["fee_cents"]},
        "reason": None,
        "message": f"{chosen['name']}, {len(chosen['pieces'])} pieces, is on hold for {p['show']}; the hire costs £{hire['fee_cents'] / 100:.2f}.",
    }


def _new(world, table):
    return [c["after"] for c in world.changes if c["table"] == table and c["before"] is None]


def goal_has_a_new_hold(world, p):
    """The group has one new hold for the show and the days asked for."""
    rows = _new(world, "hires")
    return (
        len(rows) == 1
        and rows[0]["customer_id"] == p["customer_id"]
        and world.same_text(rows[0]["show_title"], p["show"])
        and rows[0]["collection_date"] == p["start"]
        and rows[0]["due_date"] == p["end"]
        and rows[0]["status"] == "held"
    )


def goal_holds_the_smallest_set_that_does(world, p):
    """The one line of the new hold is the smallest set of the kind that is large enough, good enough and free."""
    hires, lines = _new(world, "hires"), _new(world, "hire_lines")
    return (
        len(hires) == 1 and len(lines) == 1 and lines[0]["hire_id"] == hires[0]["id"] and lines[0]["set_id"] == p["set_id"]
        and lines[0]["status"] == "active"
    )


def goal_says_which_set(world, p):
    """Says which set is on hold."""
    return world.report.says("set", p["set_name"])


def goal_says_how_many_pieces(world, p):
    """Says how many pieces the set has."""
    row = world.initial.one("SELECT count(*) AS n FROM pieces v WHERE v.set_id = ?", [p["set_id"]])
    return world.report.says("pieces", row["n"])


def goal_says_the_fee(world, p):
    """Says what the hire costs."""
    return world.report.says("fee", p["fee"])


def guard_adds_one_hold_only(world, p):
    """Changed nothing but one new hold of the group with one line."""
    if any(c["before"] is not None or c["table"] not in ("hires", "hire_lines") for c in world.changes):
        return False
    hires, lines = _new(world, "hires"), _new(world, "hire_lines")
    return (
        len(hires) <= 1
        and len(lines) <= 1
        and all(h["customer_id"] == p["customer_id"] and h["collector_person_id"] is None and h["hold_renewed_at"] is None for h in hires)
        and all(l["hire_id"] in [h["id"] for h in hires] and l["fee_cents"] == p["fee"] and l["wearer_person_id"] is None for l in lines)
    )


def guard_reports_it_as_done(world, p):
    """Reports that it is done, with no rule as the reason."""
    return world.report.outcome in (None, "done") and world.report.reason is None
