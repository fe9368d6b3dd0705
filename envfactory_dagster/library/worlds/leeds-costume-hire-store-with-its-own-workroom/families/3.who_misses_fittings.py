import datetime

SHOWS = (
    "The Mikado", "She Stoops to Conquer", "The School for Scandal", "A Doll's House", "The Country Wife", "Tartuffe",
    "The Gondoliers", "Hedda Gabler", "The Relapse", "Volpone", "The Critic", "Ruddigore", "Princess Ida", "The Sorcerer",
    "Box and Cox", "The Government Inspector", "The Miser", "Peer Gynt", "Uncle Vanya", "The Duchess of Malfi",
    "The Way of the World", "The Recruiting Officer", "An Ideal Husband", "Lady Audley's Secret", "Black-Eyed Susan",
    "The Seagull", "Three Sisters", "Ghosts", "Hamlet", "Macbeth", "As You Like It", "The Tempest", "Cymbeline",
)
NAMES = (
    ("Agnes Holt", "1961-04-12"), ("Barnaby Finch", "1983-09-30"), ("Cora Lindley", "1994-02-17"), ("Dominic Ashe", "1979-11-05"),
    ("Edith Barrow", "1957-06-21"), ("Farah Aziz", "1998-01-09"), ("Gordon Lister", "1966-08-14"), ("Hazel Midgley", "1990-12-02"),
    ("Ivan Petrov", "1987-03-26"), ("Janet Thwaite", "1963-07-18"), ("Kofi Mensah", "1992-10-11"), ("Lorna Speight", "1975-05-04"),
    ("Miles Radford", "1981-01-23"), ("Nora Dewhirst", "1969-09-08"), ("Owen Brearley", "1996-04-29"), ("Pippa Crossley", "1984-12-15"),
    ("Quentin Sykes", "1959-02-03"), ("Rhoda Clegg", "1972-06-30"), ("Stanley Boothroyd", "1965-10-19"), ("Thea Marchbank", "1989-08-27"),
)
WEAR = (
    ("Herbalist's green gown", "dress", "Medieval", "wool", "fur_feather_wool"), ("Steward's grey jacket", "jacket", "Edwardian", "wool", "fur_feather_wool"),
    ("Tinker's patched coat", "coat", "18th century", "wool", "fur_feather_wool"), ("Novice's white tunic", "other", "Medieval", "cotton", "washable"),
    ("Laundress's blue skirt", "skirt", "Victorian", "cotton", "washable"), ("Ensign's scarlet jacket", "jacket", "Regency", "wool", "fur_feather_wool"),
    ("Poet's frilled shirt", "shirt", "Regency", "linen", "washable"), ("Countess's sable wrap", "cloak", "Edwardian", "fur", "fur_feather_wool"),
)
TIMES = ("T09:30:00", "T10:15:00", "T11:00:00", "T13:30:00", "T14:15:00", "T15:00:00")


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
    """A season of past hires with their fittings, kept, missed and called off, and one wearer who missed more than anybody else."""
    today = world.clock[:10]
    off = {r["day"] for r in world.query("SELECT day, 'f11' AS f FROM bank_holidays ORDER BY day", [])}
    top = world.one(
        "SELECT 'f11' AS f, (SELECT max(id) FROM hires) AS hire, (SELECT max(id) FROM hire_lines) AS line, (SELECT max(id) FROM pieces) AS piece,"
        " (SELECT max(id) FROM people) AS person, (SELECT max(id) FROM person_roles) AS role, (SELECT max(id) FROM fittings) AS fitting,"
        " (SELECT max(id) FROM invoices) AS invoice, (SELECT max(id) FROM invoice_lines) AS invoice_line,"
        " (SELECT max(id) FROM payments) AS payment, (SELECT max(id) FROM deposits) AS deposit,"
        " (SELECT max(id) FROM cleaning_repair_jobs) AS job",
        [],
    )
    taken = {r["starts_at"] for r in world.query("SELECT starts_at, 'f11' AS f FROM fittings WHERE status <> 'cancelled' ORDER BY id", [])}
    titles = {r["show_title"] for r in world.query("SELECT DISTINCT show_title, 'f11' AS f FROM hires ORDER BY show_title", [])}
    names = {r["full_name"] for r in world.query("SELECT full_name, 'f11' AS f FROM people ORDER BY id", [])}
    customers = world.query(
        "SELECT c.id, c.name, c.kind, 'f11' AS f FROM customers c WHERE c.id IN (SELECT customer_id FROM person_roles WHERE person_id = 1)"
        " ORDER BY c.id",
        [],
    )
    if not customers:
        return
    for _ in range(6000):
        customer = rng.choice(customers)
        count = rng.randint(19, 25)
        span = rng.randint(200, 290)
        first = (datetime.date.fromisoformat(today) - datetime.timedelta(days=span)).isoformat()
        last = (datetime.date.fromisoformat(today) - datetime.timedelta(days=rng.randint(26, 40))).isoformat()
        shows = rng.sample([s for s in SHOWS if s not in titles], count)
        cast = rng.sample([n for n in NAMES if n[0] not in names], rng.randint(5, 7))
        numbers = rng.sample(range(20000, 30000), 3 * count)
        people = {}
        given = {
            "people": [], "person_roles": [], "pieces": [], "hires": [], "hire_lines": [], "fittings": [], "cleaning_repair_jobs": [],
            "invoices": [], "invoice_lines": [], "payments": [], "deposits": [],
        }
        for n, (name, born) in enumerate(cast):
            people[name] = top["person"] + 1 + n
            given["people"].append({"id": top["person"] + 1 + n, "full_name": name, "birth_date": born})
            given["person_roles"].append({
                "id": top["role"] + 1 + n, "customer_id": customer["id"], "person_id": top["person"] + 1 + n, "role": "wearer",
            })
        used = set(taken)
        missed = {}
        careless = rng.choice(cast)[0]
        cost = 0
        rate = 85 if customer["kind"] == "school" else 100
        fee = (2200 * rate + 50) // 100
        for n in range(count):
            outside = n >= count - 2
            back = rng.randint(span + 20, span + 60) if outside else rng.randint(44, span - 6)
            collection = _add(off, (datetime.date.fromisoformat(today) - datetime.timedelta(days=back)).isoformat(), 1)
            due = _add(off, collection, 5)
            held = _add(off, collection, -24)
            confirmed = _add(off, held, 2)
            inspected = _add(off, due, 2)
            closed = _add(off, inspected, 3)
            hire = top["hire"] + 1 + n
            lines = rng.randint(1, 2)
            wearers = rng.sample(cast, lines)
            given["hires"].append({
                "id": hire, "hire_number": "H-%05d" % numbers[n], "customer_id": customer["id"], "show_title": shows[n],
                "collection_date": collection, "due_date": due, "status": "closed", "held_at": held + "T10:15:00",
                "hold_lapses_at": _add(off, held, 5) + "T16:00:00", "confirmed_at": confirmed + "T11:00:00", "confirmed_by_person_id": 1,
                "collected_at": collection + "T10:30:00", "returned_at": due + "T11:15:00", "inspected_at": inspected + "T14:00:00",
                "closed_at": closed + "T10:00:00",
            })
            given["deposits"].append({
                "id": top["deposit"] + 1 + n, "hire_id": hire, "amount_cents": 5000, "status": "released", "paid_at": confirmed + "T15:12:00",
                "released_at": closed + "T09:45:00",
            })
            for m in range(lines):
                name = wearers[m][0]
                piece, line = top["piece"] + 1 + len(given["pieces"]), top["line"] + 1 + len(given["hire_lines"])
                description, garment, period, material, cleaning = WEAR[(n + 3 * m) % len(WEAR)]
                given["pieces"].append({
                    "id": piece, "number": 20000 + piece, "description": description + ", understudy's copy", "garment": garment,
                    "period": period, "material": material, "cleaning_class": cleaning, "condition": "C", "replacement_value_cents": 11000,
                    "is_class_p": 0, "is_nativity": 0,
                })
                given["hire_lines"].append({
                    "id": line, "hire_id": hire, "piece_id": piece, "wearer_person_id": people[name], "fee_cents": fee, "status": "active",
                })
                rest = {"washable": 3, "dry_clean": 5, "fur_feather_wool": 8}[cleaning]
                given["cleaning_repair_jobs"].append({
                    "id": top["job"] + 1 + len(given["cleaning_repair_jobs"]), "piece_id": piece, "hire_id": hire, "kind": "cleaning",
                    "description": "Cleaned and pressed", "reported_on": due, "finished_on": _add(off, due, rest - 1),
                    "back_on_rail_on": _add(off, due, rest), "paid_by": "store", "status": "finished",
                })
                day = _add(off, confirmed, rng.randint(2, 5))
                before = 0
                for _visit in range(rng.choice((0, 1, 1, 2, 2, 3))):
                    slots = [day + t for t in TIMES if day + t not in used]
                    if slots and day < collection:
                        how = rng.choice(("attended", "attended", "attended", "missed", "cancelled"))
                        if name == careless and rng.random() < 0.5:
                            how = "missed"
                        slot = rng.choice(slots)
                        row = {
                            "id": top["fitting"] + 1 + len(given["fittings"]), "hire_line_id": line, "person_id": people[name],
                            "starts_at": slot, "status": how, "fee_cents": 0 if before == 0 else 1200, "booked_at": confirmed + "T12:00:00",
                        }
                        if how == "cancelled":
                            row = dict(row, cancelled_at=confirmed + "T14:00:00")
                        else:
                            used.add(slot)
                            before += 1
                        given["fittings"].append(row)
                    day = _add(off, day, rng.randint(1, 4))
            part = (lines * fee * 30 + 50) // 100
            for m, (kind, day, cents, label) in enumerate((
                ("confirmation", confirmed, part, "30% of the hire fee for "),
                ("balance", _add(off, collection, -10), lines * fee - part, "Balance of the hire fee for "),
            )):
                invoice = top["invoice"] + 1 + 2 * n + m
                given["invoices"].append({
                    "id": invoice, "invoice_number": "INV-%05d" % numbers[count + 2 * n + m], "hire_id": hire, "kind": kind, "issued_on": day,
                    "due_on": _add(off, day, 5), "status": "paid",
                })
                given["invoice_lines"].append({
                    "id": top["invoice_line"] + 1 + 2 * n + m, "invoice_id": invoice, "description": label + shows[n], "amount_cents": cents,
                })
                given["payments"].append({
                    "id": top["payment"] + 1 + 2 * n + m, "invoice_id": invoice, "kind": "payment", "amount_cents": cents,
                    "paid_at": _add(off, day, 3) + "T11:30:00",
                })
        inside = {h["id"] for h in given["hires"] if first <= h["collection_date"] <= last}
        line_hire = {l["id"]: l["hire_id"] for l in given["hire_lines"]}
        for old in world.query(
            "SELECT f.fee_cents, f.status, u.full_name, 'f11' AS f FROM fittings f JOIN hire_lines l ON l.id = f.hire_line_id"
            " JOIN hires h ON h.id = l.hire_id JOIN people u ON u.id = f.person_id WHERE h.customer_id = ? AND h.collection_date >= ?"
            " AND h.collection_date <= ? ORDER BY f.id",
            [customer["id"], first, last],
        ):
            if old["status"] == "missed":
                missed[old["full_name"]] = missed.get(old["full_name"], 0) + 1
            if old["status"] == "attended":
                cost += old["fee_cents"]
        by_id = {people[name]: name for name in people}
        for f in given["fittings"]:
            if line_hire[f["hire_line_id"]] in inside:
                if f["status"] == "missed":
                    missed[by_id[f["person_id"]]] = missed.get(by_id[f["person_id"]], 0) + 1
                if f["status"] == "attended":
                    cost += f["fee_cents"]
        ranking = sorted(missed.values(), reverse=True)
        if len(ranking) < 2 or ranking[0] == ranking[1] or cost == 0:
            continue
        yield {"p": {"customer": customer["name"], "first": first, "last": last, "id": customer["id"]}, "given": given}


def solve(tools, p):
    customer = _customer(tools, p["customer"])
    cost = 0
    missed = {}
    for hire in tools.list_hires(customer_id=customer["id"], first_day=p["first"], last_day=p["last"])["hires"]:
        for fitting in tools.list_fittings(hire_id=hire["id"])["fittings"]:
            if fitting["status"] == "attended":
                cost += fitting["fee_cents"]
            if fitting["status"] == "missed":
                missed[fitting["full_name"]] = missed.get(fitting["full_name"], 0) + 1
    worst = max(missed, key=lambda name: missed[name])
    total = sum(missed.values())
    return {
        "outcome": "done",
        "answers": {"cost": cost, "missed": total, "worst": worst},
        "reason": None,
        "message": f"The fittings people came to cost £{cost / 100:.2f}. {total} were missed, most of them by {worst}, who missed {missed[worst]}.",
    }


def _fittings(world, p, status):
    return world.initial.query(
        "SELECT x.fee_cents, u.full_name FROM fittings x JOIN hire_lines l ON l.id = x.hire_line_id JOIN hires h ON h.id = l.hire_id"
        " JOIN people u ON u.id = x.person_id WHERE h.customer_id = ? AND h.collection_date >= ? AND h.collection_date <= ? AND x.status = ?"
        " ORDER BY x.id",
        [p["id"], p["first"], p["last"], status],
    )


def goal_says_what_the_fittings_cost(world, p):
    """Says what the fittings cost that people came to."""
    return world.report.says("cost", sum(f["fee_cents"] for f in _fittings(world, p, "attended")))


def goal_says_how_many_were_missed(world, p):
    """Says how many fittings were missed."""
    return world.report.says("missed", len(_fittings(world, p, "missed")))


def goal_says_who_missed_most(world, p):
    """Says who missed more fittings than anybody else."""
    count = {}
    for fitting in _fittings(world, p, "missed"):
        count[fitting["full_name"]] = count.get(fitting["full_name"], 0) + 1
    return world.report.says("worst", max(count, key=lambda name: count[name]))


def guard_changes_nothing(world, p):
    """Changed nothing at all."""
    return len(world.changes) == 0


def guard_reports_it_as_done(world, p):
    """Reports that it is done, with no rule as the reason."""
    return world.report.outcome in (None, "done") and world.report.reason is None
