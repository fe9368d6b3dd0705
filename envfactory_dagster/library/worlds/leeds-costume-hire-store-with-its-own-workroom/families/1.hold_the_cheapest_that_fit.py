import datetime

SHOWS = (
    "The Mikado", "She Stoops to Conquer", "The School for Scandal", "A Doll's House", "The Country Wife", "Tartuffe",
    "The Gondoliers", "Hedda Gabler", "The Relapse", "Volpone", "The Critic", "Ruddigore", "Princess Ida", "The Sorcerer",
    "Box and Cox", "The Government Inspector", "The Miser", "Peer Gynt", "Uncle Vanya", "The Duchess of Malfi",
    "The Way of the World", "The Recruiting Officer", "An Ideal Husband", "Lady Audley's Secret", "Black-Eyed Susan",
)
KINDS = (
    ("Hussar's braided jacket", "jacket", "19th century", "wool", "fur_feather_wool"),
    ("Sailor's canvas jacket", "jacket", "19th century", "cotton", "washable"),
    ("Lackey's yellow coat", "coat", "18th century", "wool", "fur_feather_wool"),
    ("Miller's linen smock", "other", "Victorian", "linen", "washable"),
    ("Toy soldier's tunic", "jacket", "Victorian", "wool", "fur_feather_wool"),
    ("Smuggler's patched waistcoat", "waistcoat", "18th century", "cotton", "washable"),
    ("Courtier's velvet doublet", "jacket", "17th century", "velvet", "dry_clean"),
    ("Gamekeeper's moleskin coat", "coat", "Victorian", "moleskin", "dry_clean"),
    ("Chimney sweep's sooty jacket", "jacket", "Victorian", "cotton", "washable"),
    ("Monk's hooded robe", "other", "Medieval", "wool", "fur_feather_wool"),
    ("Gaoler's leather jerkin", "waistcoat", "17th century", "leather", "dry_clean"),
    ("Cossack's belted coat", "coat", "19th century", "wool", "fur_feather_wool"),
)


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


def _rest(cleaning):
    return {"washable": 3, "dry_clean": 5, "fur_feather_wool": 8}[cleaning]


def instances(world, rng):
    """A rack of like pieces with ranges, values, repairs and other hires of their own, and a number of them wanted, within the quota or beyond it."""
    now = world.clock
    today = now[:10]
    off = {r["day"] for r in world.query("SELECT day, name FROM bank_holidays ORDER BY id", [])}
    top = world.one(
        "SELECT (SELECT max(id) FROM hire_lines) AS line, (SELECT max(id) FROM hires) AS hire, (SELECT max(id) FROM pieces) AS piece,"
        " (SELECT max(id) FROM piece_measurements) AS measurement, (SELECT max(id) FROM cleaning_repair_jobs) AS job",
        [],
    )
    titles = {r["show_title"] for r in world.query("SELECT show_title, id FROM hires ORDER BY id", [])}
    school = world.one(
        "SELECT c.id FROM customers c WHERE c.kind = 'school' AND NOT EXISTS"
        " (SELECT 1 FROM person_roles r WHERE r.customer_id = c.id AND r.person_id = 1) ORDER BY c.id LIMIT 1",
        [],
    )["id"]
    season = today[5:] >= "11-01" or today[5:] <= "01-06"
    customers = []
    for c in world.query(
        "SELECT c.id, c.name, c.kind FROM customers c JOIN (SELECT DISTINCT customer_id FROM person_roles WHERE person_id = 1) m"
        " ON m.customer_id = c.id ORDER BY c.name",
        [],
    ):
        used = 0
        for line in world.query(
            "SELECT l.piece_id, l.set_id, q.is_class_p, q.is_nativity, a.kind,"
            " (SELECT min(s.is_nativity) FROM pieces s WHERE s.set_id = l.set_id) AS set_nativity"
            " FROM hire_lines l JOIN hires h ON h.id = l.hire_id LEFT JOIN pieces q ON q.id = l.piece_id"
            " LEFT JOIN accessories a ON a.id = l.accessory_id WHERE h.customer_id = ? AND l.status = 'active'"
            " AND (h.status IN ('confirmed', 'out') OR (h.status = 'held' AND h.hold_lapses_at > ?)) ORDER BY l.id",
            [c["id"], now],
        ):
            spared = season and c["kind"] == "school"
            if line["piece_id"] is not None:
                used += 0 if spared and line["is_nativity"] == 1 else 2 if line["is_class_p"] == 1 else 1
            elif line["set_id"] is not None:
                used += 0 if spared and line["set_nativity"] == 1 else 1
            elif line["kind"] in ("weapon", "jewellery"):
                used += 1
        limit = 60 if c["kind"] == "school" else 20 if season else 40
        customers.append({"id": c["id"], "name": c["name"], "kind": c["kind"], "room": limit - used})
    for _ in range(6000):
        if not customers:
            return
        customer = rng.choice(customers)
        show = rng.choice([s for s in SHOWS if s not in titles])
        what, garment, period, material, cleaning = rng.choice(KINDS)
        inches = rng.randint(36, 44)
        start = _add(off, today, rng.randint(12, 30))
        end = (datetime.date.fromisoformat(start) + datetime.timedelta(days=rng.choice((7, 14)))).isoformat()
        if end in off:
            continue
        weeks = (datetime.date.fromisoformat(end) - datetime.date.fromisoformat(start)).days // 7
        refused = customer["room"] <= 9 and rng.random() < 0.6
        if refused:
            count = customer["room"] + rng.randint(1, 2)
        else:
            count = rng.randint(2, min(6, customer["room"]))
        if count < 2:
            continue
        good = count + rng.randint(2, 3)
        bad = rng.randint(3, 5)
        given = {"pieces": [], "piece_measurements": [], "cleaning_repair_jobs": [], "hires": [], "hire_lines": []}
        values = rng.sample(range(60, 300), good + bad)
        hows = ["good"] * good + [rng.choice(("short", "worn", "stuck", "repair", "away")) for _ in range(bad)]
        rng.shuffle(hows)
        fits = []
        for n, how in enumerate(hows):
            piece = top["piece"] + 1 + n
            value = values[n] * 100
            current = inches + rng.choice((-1, 0, 1))
            low, high = min(current, inches) - rng.randint(0, 2), max(current, inches) + rng.randint(0, 2)
            left = rng.choice((None, None, 1, 2, 3))
            if how == "short":
                high = inches - 1
                current = high - rng.randint(0, 1)
                low = current - rng.randint(1, 2)
            if how == "stuck":
                current, left = inches - 1, 0
                low, high = current - 1, inches + 1
            given["pieces"].append({
                "id": piece, "number": 20000 + piece, "description": "%s, number %d" % (what, n + 1), "garment": garment, "period": period,
                "material": material, "cleaning_class": cleaning, "condition": "D" if how == "worn" else rng.choice(("A", "B", "B", "C")),
                "replacement_value_cents": value, "is_class_p": 0, "is_nativity": 0, "alterations_left": left,
            })
            given["piece_measurements"].append({
                "id": top["measurement"] + 1 + n, "piece_id": piece, "measure": "chest", "label_inches": inches + rng.randint(-3, 3),
                "current_inches": current, "smallest_inches": low, "largest_inches": high,
            })
            if how == "repair":
                given["cleaning_repair_jobs"].append({
                    "id": top["job"] + 1 + len(given["cleaning_repair_jobs"]), "piece_id": piece, "kind": "repair",
                    "description": "Lining to be renewed throughout", "reported_on": _add(off, today, -3),
                    "back_on_rail_on": _add(off, start, rng.randint(1, 6)), "paid_by": "store", "status": "open",
                })
            if how == "away":
                given["hire_lines"].append({
                    "id": top["line"] + 1 + len(given["hire_lines"]), "hire_id": top["hire"] + 1, "piece_id": piece, "fee_cents": 1870,
                    "status": "active",
                })
            if how == "good":
                fits.append({"id": piece, "number": 20000 + piece, "value": value})
        if given["hire_lines"]:
            held = _add(off, today, -2)
            away_start = _add(off, start, -rng.randint(2, 4))
            away_end = (datetime.date.fromisoformat(away_start) + datetime.timedelta(days=7)).isoformat()
            if away_end in off:
                continue
            given["hires"].append({
                "id": top["hire"] + 1, "hire_number": "H-%05d" % rng.randint(20000, 29999), "customer_id": school,
                "show_title": "Summer showcase", "collection_date": away_start, "due_date": away_end, "status": "held",
                "held_at": held + "T10:40:00", "hold_lapses_at": _add(off, held, 5) + "T16:00:00",
            })
        for name in ("cleaning_repair_jobs", "hires", "hire_lines"):
            if not given[name]:
                del given[name]
        fits.sort(key=lambda f: f["value"])
        rate = 85 if customer["kind"] == "school" else 100
        fee = ((2200 + (weeks - 1) * 1100) * rate + 50) // 100
        p = {
            "customer": customer["name"], "show": show, "what": what, "count": count, "inches": inches, "start": start, "end": end,
            "customer_id": customer["id"], "fee_each": fee, "refused": refused,
        }
        if refused:
            yield {"p": p, "given": given, "kind": "refusal", "rule": "piece_quota"}
        else:
            yield {"p": p, "given": given}


def solve(tools, p):
    customer = _customer(tools, p["customer"])
    found = tools.search_pieces(text=p["what"], measure="chest", inches=p["inches"], limit=50)["pieces"]
    items = tools.check_availability(
        collection_date=p["start"], due_date=p["end"], piece_ids=[piece["id"] for piece in found]
    )["items"]
    fits = []
    for item in items:
        if not item["is_available"]:
            continue
        piece = tools.get_piece(piece_id=item["piece_id"])
        chest = [m for m in piece["measurements"] if m["measure"] == "chest"][0]
        if chest["current_inches"] == p["inches"] or piece["alterations_left"] is None or piece["alterations_left"] > 0:
            fits.append(piece)
    fits.sort(key=lambda piece: piece["replacement_value_cents"])
    chosen = fits[: p["count"]]
    try:
        hire = tools.place_hold(
            customer_id=customer["id"],
            show_title=p["show"],
            collection_date=p["start"],
            due_date=p["end"],
            piece_ids=[piece["id"] for piece in chosen],
        )
    except tools.Error:
        return {
            "outcome": "refused",
            "answers": {"numbers": None, "fee": None},
            "reason": "piece_quota",
            "message": f"I cannot hold {p['count']} more pieces for {p['customer']}: together with what you have held, confirmed or out that is more than your quota of pieces.",
        }
    numbers = [piece["number"] for piece in chosen]
    return {
        "outcome": "done",
        "answers": {"numbers": numbers, "fee": hire["fee_cents"]},
        "reason": None,
        "message": f"Numbers {', '.join(str(n) for n in numbers)} are on hold for {p['show']}; the hire costs £{hire['fee_cents'] / 100:.2f}.",
    }


def _chosen(world, p):
    off = {r["day"] for r in world.initial.query("SELECT x.day FROM bank_holidays x", [])}
    fits = []
    for piece in world.initial.query(
        "SELECT q.id, q.number, q.condition, q.cleaning_class, q.replacement_value_cents, q.alterations_left, m.current_inches FROM pieces q"
        " JOIN piece_measurements m ON m.piece_id = q.id AND m.measure = 'chest' WHERE q.description LIKE ? || ', number %'"
        " AND m.smallest_inches <= ? AND m.largest_inches >= ? ORDER BY q.replacement_value_cents, q.id",
        [p["what"], p["inches"], p["inches"]],
    ):
        if piece["condition"] == "D" or (piece["alterations_left"] == 0 and piece["current_inches"] != p["inches"]):
            continue
        if world.initial.one("SELECT j.id FROM cleaning_repair_jobs j WHERE j.piece_id = ? AND j.back_on_rail_on > ?", [piece["id"], p["start"]]):
            continue
        rest = _rest(piece["cleaning_class"])
        clash = False
        for other in world.initial.query(
            "SELECT h.collection_date, h.due_date FROM hire_lines l JOIN hires h ON h.id = l.hire_id WHERE l.piece_id = ? AND l.status = 'active'"
            " AND h.status IN ('held', 'confirmed', 'out')",
            [piece["id"]],
        ):
            if p["start"] < _add(off, other["due_date"], rest) and other["collection_date"] < _add(off, p["end"], rest):
                clash = True
        if not clash:
            fits.append(piece)
    return fits[: p["count"]]


def _new(world, table):
    return [c["after"] for c in world.changes if c["table"] == table and c["before"] is None]


def goal_has_a_new_hold(world, p):
    """The group has one new hold for the show and the days asked for, or the request is refused by the rule."""
    if p["refused"]:
        return world.report.outcome == "refused" and world.report.reason == "piece_quota"
    rows = _new(world, "hires")
    return (
        len(rows) == 1
        and rows[0]["customer_id"] == p["customer_id"]
        and world.same_text(rows[0]["show_title"], p["show"])
        and rows[0]["collection_date"] == p["start"]
        and rows[0]["due_date"] == p["end"]
        and rows[0]["status"] == "held"
    )


def goal_holds_the_cheapest_that_fit(world, p):
    """Just the cheapest pieces that fit and are free are on the new hold; where it is refused, the refusal names the rule."""
    if p["refused"]:
        return world.report.outcome == "refused" and world.report.reason == "piece_quota"
    hires, lines = _new(world, "hires"), _new(world, "hire_lines")
    return (
        len(hires) == 1
        and all(l["hire_id"] == hires[0]["id"] and l["status"] == "active" for l in lines)
        and sorted(l["piece_id"] or 0 for l in lines) == sorted(q["id"] for q in _chosen(world, p))
    )


def goal_says_their_numbers(world, p):
    """Says the numbers of the pieces on hold, nothing where it is refused."""
    if world.report.outcome is None:
        return False
    return world.report.says("numbers", None if p["refused"] else [q["number"] for q in _chosen(world, p)])


def goal_says_the_fee(world, p):
    """Says what the hire costs, nothing where it is refused."""
    if world.report.outcome is None:
        return False
    return world.report.says("fee", None if p["refused"] else p["count"] * p["fee_each"])


def guard_adds_one_hold_only(world, p):
    """Changed nothing but one new hold of the group with as many lines as were asked for."""
    if any(c["before"] is not None or c["table"] not in ("hires", "hire_lines") for c in world.changes):
        return False
    hires, lines = _new(world, "hires"), _new(world, "hire_lines")
    if p["refused"]:
        return not hires and not lines
    if len(hires) > 1 or len(lines) > p["count"]:
        return False
    return all(h["customer_id"] == p["customer_id"] and h["collector_person_id"] is None and h["hold_renewed_at"] is None for h in hires) and all(
        l["hire_id"] in [h["id"] for h in hires] and l["wearer_person_id"] is None and l["fee_cents"] == p["fee_each"] for l in lines
    )


def guard_reports_the_right_outcome(world, p):
    """Reports it as done, or as refused where the rule forbids it."""
    wanted = "refused" if p["refused"] else "done"
    return world.report.outcome in (None, wanted)


def guard_gives_the_right_reason(world, p):
    """Names the rule as the reason where it is refused, and none otherwise."""
    if world.report.outcome is None:
        return True
    return world.report.reason == ("piece_quota" if p["refused"] else None)
