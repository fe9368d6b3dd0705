import datetime

SHOWS = (
    "The Mikado", "She Stoops to Conquer", "The School for Scandal", "A Doll's House", "The Country Wife", "Tartuffe",
    "The Gondoliers", "Hedda Gabler", "The Relapse", "Volpone", "The Critic", "Ruddigore", "Princess Ida", "The Sorcerer",
    "Box and Cox", "The Government Inspector", "The Miser", "Peer Gynt", "Uncle Vanya", "The Duchess of Malfi",
    "The Way of the World", "The Recruiting Officer", "An Ideal Husband", "Lady Audley's Secret", "Black-Eyed Susan",
    "The Seagull", "Three Sisters", "Ghosts", "Hamlet", "Macbeth", "As You Like It", "The Tempest", "Cymbeline",
)
RELICS = (
    ("Beaded mourning gown of 1887", "dress", "Victorian", "silk", "dry_clean"),
    ("Embroidered court coat of 1790", "coat", "18th century", "velvet", "dry_clean"),
    ("Sealskin jacket of 1902", "jacket", "Edwardian", "fur", "fur_feather_wool"),
    ("Officer's mess jacket of 1896", "jacket", "1890s", "wool", "fur_feather_wool"),
    ("Honiton lace wedding dress of 1869", "dress", "Victorian", "lace", "dry_clean"),
    ("Opera cape of 1909 with swansdown", "cloak", "Edwardian", "velvet", "fur_feather_wool"),
    ("Paisley dinner gown of 1878", "dress", "Victorian", "wool", "fur_feather_wool"),
    ("Fencing jacket of 1911", "jacket", "Edwardian", "canvas", "washable"),
    ("Bathing costume of 1905", "other", "Edwardian", "wool", "fur_feather_wool"),
    ("Quilted petticoat of 1770", "skirt", "18th century", "silk", "dry_clean"),
    ("Hunting coat of 1901", "coat", "Edwardian", "wool", "fur_feather_wool"),
    ("Kashmir shawl of 1845", "other", "Victorian", "wool", "fur_feather_wool"),
    ("Ball dress of 1862 with roses", "dress", "Victorian", "silk", "dry_clean"),
    ("Livery coat of 1823", "coat", "Regency", "wool", "fur_feather_wool"),
)
HALLS = ("Meanwood Assembly Room", "Burley Lane Theatre", "Woodhouse Arts Barn", "Calverley Playhouse", "Farsley Mechanics' Hall")


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
    """Holds with class P pieces and certificates that just do or just do not, and a stretch of collection days."""
    now = world.clock
    today = now[:10]
    off = {r["day"] for r in world.query("SELECT day, 'f6' AS f FROM bank_holidays ORDER BY day", [])}
    top = world.one(
        "SELECT 'f6' AS f, (SELECT max(id) FROM hires) AS hire, (SELECT max(id) FROM hire_lines) AS line, (SELECT max(id) FROM pieces) AS piece,"
        " (SELECT max(id) FROM insurance_certificates) AS certificate",
        [],
    )
    titles = {r["show_title"] for r in world.query("SELECT DISTINCT show_title, 'f6' AS f FROM hires ORDER BY show_title", [])}
    season = today[5:] >= "11-01" or today[5:] <= "01-06"
    customers = []
    for c in world.query(
        "SELECT c.id, c.name, 'f6' AS f, (SELECT sum(CASE WHEN l.accessory_id IS NOT NULL THEN CASE WHEN a.kind IN ('weapon', 'jewellery')"
        " THEN 1 ELSE 0 END WHEN q.is_class_p = 1 THEN 2 ELSE 1 END) FROM hire_lines l JOIN hires h ON h.id = l.hire_id"
        " LEFT JOIN pieces q ON q.id = l.piece_id LEFT JOIN accessories a ON a.id = l.accessory_id WHERE h.customer_id = c.id"
        " AND l.status = 'active' AND h.status IN ('held', 'confirmed', 'out')) AS used FROM customers c WHERE c.kind = 'society'"
        " AND c.id IN (SELECT customer_id FROM person_roles WHERE person_id = 1) ORDER BY c.id",
        [],
    ):
        room = (20 if season else 40) - (c["used"] or 0)
        if room >= 8:
            customers.append({"id": c["id"], "name": c["name"], "room": room})
    if not customers:
        return
    for _ in range(6000):
        customer = rng.choice(customers)
        count = rng.randint(3, 4) if customer["room"] < 14 else rng.randint(4, 6)
        room = customer["room"]
        shows = rng.sample([s for s in SHOWS if s not in titles], count)
        relics = rng.sample(RELICS, 2 * count)
        numbers = rng.sample(range(20000, 30000), count)
        given = {"pieces": [], "hires": [], "hire_lines": [], "insurance_certificates": []}
        made = []
        for n in range(count):
            ahead = rng.randint(25, 90)
            collection = _add(off, today, ahead)
            due = (datetime.date.fromisoformat(collection) + datetime.timedelta(days=7)).isoformat()
            if due in off:
                due = _add(off, due, 1)
            held = _add(off, today, -rng.randint(0, 4) if now[11:] > "10:30:00" else -rng.randint(1, 4))
            hire = top["hire"] + 1 + n
            left = room - 2 * (count - n - 1)
            how_many = 2 if left >= 4 and rng.random() < 0.4 else 1
            room -= 2 * how_many
            given["hires"].append({
                "id": hire, "hire_number": "H-%05d" % numbers[n], "customer_id": customer["id"], "show_title": shows[n],
                "collection_date": collection, "due_date": due, "status": "held", "held_at": held + "T10:05:00",
                "hold_lapses_at": _add(off, held, 5) + "T16:00:00",
            })
            value = 0
            for _piece in range(how_many):
                description, garment, period, material, cleaning = relics.pop()
                piece = top["piece"] + 1 + len(given["pieces"])
                worth = rng.randint(61, 240) * 1000
                value += worth
                given["pieces"].append({
                    "id": piece, "number": 20000 + piece, "description": description, "garment": garment, "period": period,
                    "material": material, "cleaning_class": cleaning, "condition": "B", "replacement_value_cents": worth, "is_class_p": 1,
                    "is_nativity": 0,
                })
                given["hire_lines"].append({
                    "id": top["line"] + 1 + len(given["hire_lines"]), "hire_id": hire, "piece_id": piece, "fee_cents": 8500, "status": "active",
                })
            until = _add(off, due, 5)
            long = (datetime.date.fromisoformat(until) + datetime.timedelta(days=rng.choice((0, 0, 10, 40)))).isoformat()
            short = (datetime.date.fromisoformat(until) - datetime.timedelta(days=1)).isoformat()
            how = rng.choice(("good", "good", "short", "small", "unread", "none"))
            papers = []
            if how == "good":
                papers.append((value + rng.choice((0, 0, 20000)), long, True))
            if how == "short" or (how == "good" and rng.random() < 0.3):
                papers.append((value + 10000, short, True))
            if how == "small":
                papers.append((value - rng.choice((100, 5000)), long, True))
            if how == "unread":
                papers.append((value, long, False))
            rng.shuffle(papers)
            for cover, valid, read in papers:
                certificate = {
                    "id": top["certificate"] + 1 + len(given["insurance_certificates"]), "hire_id": hire, "theatre_name": rng.choice(HALLS),
                    "cover_cents": cover, "received_on": held, "valid_until": valid,
                }
                if read:
                    certificate["ticked_off_at"] = held + "T15:20:00"
                given["insurance_certificates"].append(certificate)
            made.append((collection, how != "good"))
        if not given["insurance_certificates"]:
            del given["insurance_certificates"]
        days = sorted(m[0] for m in made)
        first = (datetime.date.fromisoformat(days[0]) - datetime.timedelta(days=rng.randint(0, 6))).isoformat()
        last = (datetime.date.fromisoformat(days[-2 if count > 3 and rng.random() < 0.5 else -1]) + datetime.timedelta(days=rng.randint(0, 3))).isoformat()
        inside = [bad for day, bad in made if first <= day <= last]
        if sum(inside) < 1 or all(inside) or len(inside) < 3:
            continue
        yield {"p": {"customer": customer["name"], "first": first, "last": last, "id": customer["id"], "now": now}, "given": given}


def solve(tools, p):
    customer = _customer(tools, p["customer"])
    off = {h["day"] for h in tools.list_bank_holidays(first_day=p["first"], last_day=_later(p["last"]))["bank_holidays"]}
    shows = []
    total = 0
    for found in tools.list_hires(customer_id=customer["id"], status="held", first_day=p["first"], last_day=p["last"])["hires"]:
        hire = tools.get_hire(hire_id=found["id"])
        value = 0
        for line in hire["hire_lines"]:
            if line["status"] == "active" and line["is_class_p"] == 1:
                value += tools.get_piece(piece_id=line["piece_id"])["replacement_value_cents"]
        if value == 0:
            continue
        until = _add(off, hire["due_date"], 5)
        good = [
            c
            for c in tools.list_insurance_certificates(hire_id=hire["id"])["insurance_certificates"]
            if c["ticked_off_at"] is not None and c["cover_cents"] >= value and c["valid_until"] >= until
        ]
        if not good:
            shows.append(hire["show_title"])
            total += value
    return {
        "outcome": "done",
        "answers": {"shows": shows, "value": total},
        "reason": None,
        "message": f"There is no certificate that will do yet for {', '.join(shows)}; their class P pieces are worth £{total / 100:.2f} together.",
    }


def _later(day):
    return (datetime.date.fromisoformat(day) + datetime.timedelta(days=120)).isoformat()


def _lacking(world, p):
    off = {r["day"] for r in world.initial.query("SELECT day, 'f6 check' AS f FROM bank_holidays ORDER BY day", [])}
    lacking = []
    for hire in world.initial.query(
        "SELECT h.id, h.show_title, h.due_date, sum(q.replacement_value_cents) AS value FROM hires h JOIN hire_lines l ON l.hire_id = h.id"
        " JOIN pieces q ON q.id = l.piece_id WHERE h.customer_id = ? AND h.status = 'held' AND h.hold_lapses_at > ? AND l.status = 'active'"
        " AND q.is_class_p = 1 AND h.collection_date >= ? AND h.collection_date <= ? GROUP BY h.id, h.show_title, h.due_date ORDER BY h.id",
        [p["id"], p["now"], p["first"], p["last"]],
    ):
        good = world.initial.one(
            "SELECT k.id FROM insurance_certificates k WHERE k.hire_id = ? AND k.ticked_off_at IS NOT NULL AND k.cover_cents >= ?"
            " AND k.valid_until >= ? ORDER BY k.id LIMIT 1",
            [hire["id"], hire["value"], _add(off, hire["due_date"], 5)],
        )
        if good is None:
            lacking.append(hire)
    return lacking


def goal_says_which_shows_lack_a_certificate(world, p):
    """Says which held hires with class P pieces have no certificate that will do."""
    return world.report.says("shows", [h["show_title"] for h in _lacking(world, p)])


def goal_says_what_their_pieces_are_worth(world, p):
    """Says what the class P pieces on these hires are worth together."""
    return world.report.says("value", sum(h["value"] for h in _lacking(world, p)))


def guard_changes_nothing(world, p):
    """Changed nothing at all."""
    return len(world.changes) == 0


def guard_reports_it_as_done(world, p):
    """Reports that it is done, with no rule as the reason."""
    return world.report.outcome in (None, "done") and world.report.reason is None
