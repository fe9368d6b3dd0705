import datetime

SHOWS = (
    "The Mikado", "She Stoops to Conquer", "The School for Scandal", "A Doll's House", "The Country Wife", "Tartuffe",
    "The Gondoliers", "Hedda Gabler", "The Relapse", "Volpone", "The Critic", "Ruddigore", "Princess Ida", "The Sorcerer",
    "Box and Cox", "The Government Inspector", "The Miser", "Peer Gynt", "Uncle Vanya", "The Duchess of Malfi",
    "The Way of the World", "The Recruiting Officer", "An Ideal Husband", "Lady Audley's Secret", "Black-Eyed Susan",
    "The Seagull", "Three Sisters", "Ghosts", "Hamlet", "Macbeth", "As You Like It", "The Tempest", "Cymbeline",
)
PLAIN = (
    ("Alchemist's star-spangled robe", "cloak", "17th century", "velvet", "dry_clean"),
    ("Fishwife's oilskin apron", "other", "Victorian", "oilskin", "washable"),
    ("Cavalier's slashed jerkin", "jacket", "17th century", "leather", "dry_clean"),
    ("Parson's rusty cassock", "cloak", "18th century", "wool", "fur_feather_wool"),
    ("Governor's laced waistcoat", "waistcoat", "18th century", "brocade", "dry_clean"),
    ("Washerwoman's patched skirt", "skirt", "Victorian", "cotton", "washable"),
    ("Highwayman's triple-caped coat", "coat", "18th century", "wool", "fur_feather_wool"),
    ("Schoolboy's Eton jacket", "jacket", "Victorian", "wool", "fur_feather_wool"),
    ("Spinster's bombazine dress", "dress", "Victorian", "bombazine", "dry_clean"),
    ("Juggler's diamond tights", "trousers", "Medieval", "cotton", "washable"),
    ("Baker's floury smock", "shirt", "Victorian", "cotton", "washable"),
    ("Ambassador's sashed coat", "coat", "Regency", "wool", "fur_feather_wool"),
)
RELICS = (
    ("Court train of 1895 in heliotrope", "cloak", "1890s", "silk", "dry_clean"),
    ("Motoring veil and dust coat of 1906", "coat", "Edwardian", "linen", "washable"),
    ("Hussar pelisse of 1854", "jacket", "Victorian", "wool", "fur_feather_wool"),
    ("Tea jacket of 1910 with ecru lace", "jacket", "Edwardian", "lace", "dry_clean"),
    ("Visiting dress of 1883 in bronze", "dress", "Victorian", "satin", "dry_clean"),
    ("Naval frock coat of 1861", "coat", "Victorian", "wool", "fur_feather_wool"),
)
HATS = (("Battered beaver hat", "hat"), ("Mob cap with ribbons", "hat"), ("Cork-soled shoes", "footwear"), ("Clay pipe and pouch", "other"))


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


def _line_fee(base, weeks, percent):
    """The fee of a line for the weeks, at the percentage, rounded to the penny."""
    return ((base + (weeks - 1) * base // 2) * percent + 50) // 100


def instances(world, rng):
    """A hold and a list of pieces to be added, some of them not to be had, class P within the limit or beyond it."""
    today = world.clock[:10]
    off = {r["day"] for r in world.query("SELECT day, 'f9' AS f FROM bank_holidays ORDER BY day", [])}
    top = world.one(
        "SELECT 'f9' AS f, (SELECT max(id) FROM hires) AS hire, (SELECT max(id) FROM hire_lines) AS line, (SELECT max(id) FROM pieces) AS piece,"
        " (SELECT max(id) FROM accessories) AS accessory, (SELECT max(id) FROM cleaning_repair_jobs) AS job",
        [],
    )
    titles = {r["show_title"] for r in world.query("SELECT DISTINCT show_title, 'f9' AS f FROM hires ORDER BY show_title", [])}
    other = world.one(
        "SELECT c.id, 'f9' AS f FROM customers c WHERE c.kind = 'school' AND c.id NOT IN"
        " (SELECT customer_id FROM person_roles WHERE person_id = 1) ORDER BY c.id LIMIT 1",
        [],
    )
    season = today[5:] >= "11-01" or today[5:] <= "01-06"
    customers = []
    for c in world.query(
        "SELECT c.id, c.name, c.kind, 'f9' AS f, (SELECT count(*) + sum(CASE WHEN q.is_class_p = 1 THEN 1 ELSE 0 END) FROM hire_lines l"
        " JOIN hires h ON h.id = l.hire_id LEFT JOIN pieces q ON q.id = l.piece_id WHERE h.customer_id = c.id AND l.status = 'active'"
        " AND h.status IN ('held', 'confirmed', 'out')) AS used FROM customers c WHERE c.id IN"
        " (SELECT customer_id FROM person_roles WHERE person_id = 1) ORDER BY c.id",
        [],
    ):
        if (60 if c["kind"] == "school" else 20 if season else 40) - (c["used"] or 0) >= 8:
            customers.append(c)
    if not customers or other is None:
        return
    for _ in range(6000):
        customer = rng.choice(customers)
        school = customer["kind"] == "school"
        show = rng.choice([s for s in SHOWS if s not in titles])
        refused = rng.random() < 0.4
        there = 0 if school else 2 if refused else rng.randint(0, 1)
        relics = rng.sample(RELICS, there + 1)
        plain = rng.sample(PLAIN, 6)
        collection = _add(off, today, rng.randint(20, 50))
        weeks = rng.choice((1, 1, 2))
        due = (datetime.date.fromisoformat(collection) + datetime.timedelta(days=7 * weeks)).isoformat()
        if due in off:
            continue
        held = _add(off, today, -rng.randint(1, 4))
        rate = 85 if school else 100
        hire = top["hire"] + 1
        hat = rng.choice(HATS)
        numbers = rng.sample(range(20000, 30000), 2)

        given = {
            "pieces": [], "accessories": [{"id": top["accessory"] + 1, "description": hat[0], "kind": hat[1]}],
            "hires": [{
                "id": hire, "hire_number": "H-%05d" % numbers[0], "customer_id": customer["id"], "show_title": show,
                "collection_date": collection, "due_date": due, "status": "held", "held_at": held + "T10:05:00",
                "hold_lapses_at": _add(off, held, 5) + "T16:00:00",
            }],
            "hire_lines": [{
                "id": top["line"] + 1, "hire_id": hire, "accessory_id": top["accessory"] + 1, "fee_cents": _line_fee(400, weeks, rate), "status": "active",
            }],
            "cleaning_repair_jobs": [],
        }
        total = _line_fee(400, weeks, rate)
        wanted = []
        if refused:
            wanted.append((relics[there], True, "free"))
            wanted += [(plain[n], False, rng.choice(("worn", "repair", "away"))) for n in range(rng.randint(2, 3))]
        else:
            free = rng.randint(2, 3)
            wanted += [(plain[n], False, "free") for n in range(free)]
            wanted += [(plain[free + n], False, rng.choice(("worn", "repair", "away"))) for n in range(rng.randint(1, 2))]
            if not school and rng.random() < 0.6:
                wanted.append((relics[there], True, "free"))
        rng.shuffle(wanted)
        away = []
        items = []
        for n, (piece, is_relic, how) in enumerate([(r, True, "there") for r in relics[:there]] + wanted):
            piece_id = top["piece"] + 1 + n
            given["pieces"].append({
                "id": piece_id, "number": 20000 + piece_id, "description": piece[0], "garment": piece[1], "period": piece[2],
                "material": piece[3], "cleaning_class": piece[4], "condition": "D" if how == "worn" else "B",
                "replacement_value_cents": 95000 + 1000 * n if is_relic else 12000 + 100 * n, "is_class_p": 1 if is_relic else 0,
                "is_nativity": 0,
            })
            cost = _line_fee(8500, weeks, 100) if is_relic else _line_fee(2200, weeks, rate)
            if how == "there":
                total += cost
                given["hire_lines"].append({
                    "id": top["line"] + 2 + n, "hire_id": hire, "piece_id": piece_id, "fee_cents": cost, "status": "active",
                })
                continue
            if how == "repair":
                given["cleaning_repair_jobs"].append({
                    "id": top["job"] + 1 + len(given["cleaning_repair_jobs"]), "piece_id": piece_id, "kind": "repair",
                    "description": "To be relined and the fastenings replaced", "reported_on": _add(off, today, -4),
                    "back_on_rail_on": _add(off, collection, rng.randint(1, 5)), "paid_by": "store", "status": "open",
                })
            if how == "away":
                away.append(piece_id)
            if how == "free":
                total += cost
            items.append({"id": piece_id, "what": piece[0], "free": how == "free", "fee": cost})
        if away:
            start = _add(off, collection, -rng.randint(1, 3))
            end = (datetime.date.fromisoformat(start) + datetime.timedelta(days=7)).isoformat()
            if end in off:
                continue
            given["hires"].append({
                "id": hire + 1, "hire_number": "H-%05d" % numbers[1], "customer_id": other["id"], "show_title": "End of term concert",
                "collection_date": start, "due_date": end, "status": "held", "held_at": held + "T11:40:00",
                "hold_lapses_at": _add(off, held, 5) + "T16:00:00",
            })
            for n, piece_id in enumerate(away):
                given["hire_lines"].append({
                    "id": top["line"] + 20 + n, "hire_id": hire + 1, "piece_id": piece_id, "fee_cents": 1870, "status": "active",
                })
        if not given["cleaning_repair_jobs"]:
            del given["cleaning_repair_jobs"]
        p = {
            "customer": customer["name"], "show": show, "things": [i["what"] for i in items], "hire": hire, "items": items, "total": total,
            "refused": refused,
        }
        if refused:
            yield {"p": p, "given": given, "kind": "refusal", "rule": "class_p_limit"}
        else:
            yield {"p": p, "given": given}


def solve(tools, p):
    customer = _customer(tools, p["customer"])
    holds = tools.list_hires(customer_id=customer["id"], status="held", show_title=p["show"])["hires"]
    hold = [h for h in holds if h["show_title"] == p["show"]][0]
    pieces = []
    for what in p["things"]:
        pieces.append([q for q in tools.search_pieces(text=what)["pieces"] if q["description"] == what][0])
    items = tools.check_availability(
        collection_date=hold["collection_date"], due_date=hold["due_date"], piece_ids=[q["id"] for q in pieces]
    )["items"]
    free = {i["piece_id"] for i in items if i["is_available"]}
    added, missing = [], []
    for piece in pieces:
        if piece["id"] not in free:
            missing.append(piece["description"])
            continue
        try:
            tools.add_hire_line(hire_id=hold["id"], piece_id=piece["id"])
        except tools.Error:
            return {
                "outcome": "refused",
                "answers": {"added": None, "not_free": None, "fee": None},
                "reason": "class_p_limit",
                "message": f"I cannot add {piece['description']} to {p['show']}: a hire may contain at most 2 class P pieces, and none if the customer is a school.",
            }
        added.append(piece["description"])
    fee = tools.get_hire(hire_id=hold["id"])["fee_cents"]
    return {
        "outcome": "done",
        "answers": {"added": added, "not_free": missing, "fee": fee},
        "reason": None,
        "message": f"Added to {p['show']}: {', '.join(added)}. Not to be had: {', '.join(missing)}. The hire comes to £{fee / 100:.2f} now.",
    }


def goal_adds_all_that_are_free(world, p):
    """Every piece of the list that is free is on the hold once, or the request is refused by the rule."""
    if p["refused"]:
        return world.report.outcome == "refused" and world.report.reason == "class_p_limit"
    for item in p["items"]:
        row = world.final.one(
            "SELECT count(*) AS n FROM hire_lines u WHERE u.hire_id = ? AND u.piece_id = ? AND u.status = 'active'", [p["hire"], item["id"]]
        )
        if row["n"] != (1 if item["free"] else 0):
            return False
    return True


def goal_says_what_was_added(world, p):
    """Says what was added, nothing where it is refused."""
    if world.report.outcome is None:
        return False
    return world.report.says("added", None if p["refused"] else [i["what"] for i in p["items"] if i["free"]])


def goal_says_what_is_not_to_be_had(world, p):
    """Says what could not be had, nothing where it is refused."""
    if world.report.outcome is None:
        return False
    return world.report.says("not_free", None if p["refused"] else [i["what"] for i in p["items"] if not i["free"]])


def goal_says_the_fee(world, p):
    """Says what the hire comes to afterwards, nothing where it is refused."""
    if world.report.outcome is None:
        return False
    return world.report.says("fee", None if p["refused"] else p["total"])


def guard_adds_only_these_lines(world, p):
    """Changed nothing but one new line for each piece of the list that is free."""
    left = {} if p["refused"] else {i["id"]: i["fee"] for i in p["items"] if i["free"]}
    for change in world.changes:
        row = change["after"]
        if change["table"] != "hire_lines" or change["before"] is not None or row is None or row["hire_id"] != p["hire"]:
            return False
        if left.pop(row["piece_id"], None) != row["fee_cents"] or row["status"] != "active" or row["wearer_person_id"] is not None:
            return False
    return True


def guard_reports_the_right_outcome(world, p):
    """Reports it as done, or as refused where the rule forbids it."""
    wanted = "refused" if p["refused"] else "done"
    return world.report.outcome in (None, wanted)


def guard_gives_the_right_reason(world, p):
    """Names the rule as the reason where it is refused, and none otherwise."""
    if world.report.outcome is None:
        return True
    return world.report.reason == ("class_p_limit" if p["refused"] else None)
