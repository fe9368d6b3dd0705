import datetime

SHOWS = (
    "The Mikado", "She Stoops to Conquer", "The School for Scandal", "A Doll's House", "The Country Wife", "Tartuffe",
    "The Gondoliers", "Hedda Gabler", "The Relapse", "Volpone", "The Critic", "Ruddigore", "Princess Ida", "The Sorcerer",
    "Box and Cox", "The Government Inspector", "The Miser", "Peer Gynt", "Uncle Vanya", "The Duchess of Malfi",
    "The Way of the World", "The Recruiting Officer", "An Ideal Husband", "Lady Audley's Secret", "Black-Eyed Susan",
    "The Seagull", "Three Sisters", "Ghosts", "Hamlet", "Macbeth", "As You Like It", "The Tempest", "Cymbeline",
)
THINGS = (
    ("Page's blue tunic", "other", "Medieval", "cotton", "washable"), ("Dowager's silk dress", "dress", "Victorian", "silk", "dry_clean"),
    ("Coachman's greatcoat", "coat", "Regency", "wool", "fur_feather_wool"), ("Dairymaid's green skirt", "skirt", "18th century", "cotton", "washable"),
    ("Officer's white breeches", "trousers", "Regency", "cotton", "washable"), ("Scholar's grey gown", "cloak", "17th century", "wool", "fur_feather_wool"),
    ("Nursemaid's striped dress", "dress", "Edwardian", "cotton", "washable"), ("Courtier's plum doublet", "jacket", "17th century", "velvet", "dry_clean"),
    ("Bishop's purple cope", "cloak", "Medieval", "silk", "dry_clean"), ("Drummer's red jacket", "jacket", "Regency", "wool", "fur_feather_wool"),
    ("Ploughboy's smock", "shirt", "Victorian", "linen", "washable"), ("Heiress's cream dress", "dress", "Edwardian", "silk", "dry_clean"),
)
REASONS = (
    "We brought it back as clean as we got it", "Nobody in our cast wore it", "The stain was there when we collected it",
    "It was in its bag the whole time", "We were told at the counter that all was well", "Our wardrobe mistress checked it before the return",
    "The understudy never went on", "It never left the dressing room", "There was no greasepaint in our production", "We had it cleaned ourselves",
)
WORDS = ("mud at the hem", "greasepaint at the collar", "glitter in the seams", "wine on the sleeve")


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
    """Open damage invoices for cleaning and for repairs, some too old to be disputed, some too small to bother."""
    today = world.clock[:10]
    off = {r["day"] for r in world.query("SELECT day, 'f8' AS f FROM bank_holidays ORDER BY day", [])}
    top = world.one(
        "SELECT 'f8' AS f, (SELECT max(id) FROM hires) AS hire, (SELECT max(id) FROM hire_lines) AS line, (SELECT max(id) FROM pieces) AS piece,"
        " (SELECT max(id) FROM cleaning_repair_jobs) AS job, (SELECT max(id) FROM invoices) AS invoice,"
        " (SELECT max(id) FROM invoice_lines) AS invoice_line, (SELECT max(id) FROM payments) AS payment,"
        " (SELECT max(id) FROM deposits) AS deposit",
        [],
    )
    titles = {r["show_title"] for r in world.query("SELECT DISTINCT show_title, 'f8' AS f FROM hires ORDER BY show_title", [])}
    customers = world.query(
        "SELECT c.id, c.name, c.kind, 'f8' AS f FROM customers c WHERE c.id IN (SELECT customer_id FROM person_roles WHERE person_id = 1)"
        " ORDER BY c.id",
        [],
    )
    if not customers:
        return
    oldest = _add(off, today, -10)
    for _ in range(6000):
        customer = rng.choice(customers)
        count = rng.randint(6, 9)
        shows = rng.sample([s for s in SHOWS if s not in titles], count)
        things = rng.sample(THINGS, count)
        numbers = rng.sample(range(20000, 30000), 4 * count)
        limit = rng.choice((1000, 1200, 1500, 1700, 2000, 2200, 2500, 2700, 3000, 3200, 3500))
        given = {
            "pieces": [], "hires": [], "hire_lines": [], "cleaning_repair_jobs": [], "deposits": [], "invoices": [], "invoice_lines": [],
            "payments": [],
        }
        for n in range(count):
            age = rng.choice((1, 3, 6, 9, 10, 11, 12, 14))
            issued = _add(off, today, -age)
            inspected = _add(off, issued, -1)
            returned = _add(off, inspected, -2)
            collection = _add(off, returned, -5)
            held = _add(off, collection, -24)
            confirmed = _add(off, held, 2)
            kind = rng.choice(("cleaning", "cleaning", "repair"))
            description, garment, period, material, cleaning = things[n]
            hire, piece, line = top["hire"] + 1 + n, top["piece"] + 1 + n, top["line"] + 1 + n
            fee = 1870 if customer["kind"] == "school" else 2200
            given["pieces"].append({
                "id": piece, "number": 20000 + piece, "description": description, "garment": garment, "period": period, "material": material,
                "cleaning_class": cleaning, "condition": "B", "replacement_value_cents": 14000 + 100 * n, "is_class_p": 0, "is_nativity": 0,
            })
            given["hires"].append({
                "id": hire, "hire_number": "H-%05d" % numbers[n], "customer_id": customer["id"], "show_title": shows[n],
                "collection_date": collection, "due_date": returned, "status": "inspected", "held_at": held + "T10:20:00",
                "hold_lapses_at": _add(off, held, 5) + "T16:00:00", "confirmed_at": confirmed + "T11:05:00", "confirmed_by_person_id": 1,
                "collected_at": collection + "T10:30:00", "returned_at": returned + "T11:10:00", "inspected_at": inspected + "T14:00:00",
            })
            given["hire_lines"].append({"id": line, "hire_id": hire, "piece_id": piece, "fee_cents": fee, "status": "active"})
            given["deposits"].append({
                "id": top["deposit"] + 1 + n, "hire_id": hire, "amount_cents": 5000, "status": "released", "paid_at": confirmed + "T15:12:00",
                "released_at": issued + "T09:15:00",
            })
            rest = {"washable": 3, "dry_clean": 5, "fur_feather_wool": 8}[cleaning]
            word = rng.choice(WORDS)
            job = top["job"] + 1 + n
            back = max(_add(off, returned, rest), _add(off, inspected, 2))
            finished = _add(off, back, -1)
            row = {
                "id": job, "piece_id": piece, "hire_id": hire, "kind": kind,
                "description": "Extra cleaning, " + word if kind == "cleaning" else "Seam mended and braid renewed",
                "reported_on": inspected, "back_on_rail_on": back, "paid_by": "customer", "status": "open",
            }
            if finished < today and finished >= inspected:
                row = dict(row, status="finished", finished_on=finished)
            given["cleaning_repair_jobs"].append(row)
            amount = 1800 * rng.choice((1, 1, 2, 2, 3)) if kind == "cleaning" else 700 * rng.randint(1, 6)
            part = (fee * 30 + 50) // 100
            for m, (what, day, cents, label, about, is_paid) in enumerate((
                ("confirmation", confirmed, part, "30% of the hire fee for " + shows[n], None, True),
                ("balance", _add(off, collection, -10), fee - part, "Balance of the hire fee for " + shows[n], None, True),
                ("damage", issued, amount, description + " after " + shows[n], job, False),
            )):
                invoice = top["invoice"] + 1 + 3 * n + m
                given["invoices"].append({
                    "id": invoice, "invoice_number": "INV-%05d" % numbers[count + 3 * n + m], "hire_id": hire, "kind": what, "issued_on": day,
                    "due_on": _add(off, day, 10), "status": "paid" if is_paid else "open",
                })
                bill = {"id": top["invoice_line"] + 1 + 3 * n + m, "invoice_id": invoice, "description": label, "amount_cents": cents}
                if about is not None:
                    bill = dict(bill, hire_line_id=line, cleaning_repair_job_id=about)
                given["invoice_lines"].append(bill)
                if is_paid:
                    given["payments"].append({
                        "id": top["payment"] + 1 + 2 * n + m, "invoice_id": invoice, "kind": "payment", "amount_cents": cents,
                        "paid_at": _add(off, day, 2) + "T11:30:00",
                    })
        bills = [i for i in given["invoices"] if i["kind"] == "damage"]
        jobs = {j["id"]: j["kind"] for j in given["cleaning_repair_jobs"]}
        lines = {l["invoice_id"]: l for l in given["invoice_lines"]}
        wanted = [
            i for i in bills
            if lines[i["id"]]["amount_cents"] > limit and jobs[lines[i["id"]]["cleaning_repair_job_id"]] == "cleaning"
        ]
        fresh = [i for i in wanted if i["issued_on"] >= oldest]
        if not fresh or len(fresh) == len(wanted) or len(wanted) == len(bills):
            continue
        yield {
            "p": {"customer": customer["name"], "limit": limit, "reason": rng.choice(REASONS), "id": customer["id"], "oldest": oldest},
            "given": given,
        }


def solve(tools, p):
    customer = _customer(tools, p["customer"])
    disputed, too_late = [], []
    total = 0
    for found in tools.list_invoices(customer_id=customer["id"], kind="damage", status="open")["invoices"]:
        if found["total_cents"] <= p["limit"]:
            continue
        invoice = tools.get_invoice(invoice_id=found["id"])
        is_cleaning = False
        for line in invoice["invoice_lines"]:
            if line["piece_id"] is None or line["cleaning_repair_job_id"] is None:
                continue
            jobs = tools.list_piece_jobs(piece_id=line["piece_id"], kind="cleaning")["cleaning_repair_jobs"]
            if line["cleaning_repair_job_id"] in [job["id"] for job in jobs]:
                is_cleaning = True
        if not is_cleaning:
            continue
        try:
            tools.dispute_invoice(invoice_id=invoice["id"], reason=p["reason"])
        except tools.Error:
            too_late.append(invoice["invoice_number"])
            continue
        disputed.append(invoice["invoice_number"])
        total += invoice["total_cents"]
    return {
        "outcome": "done",
        "answers": {"disputed": disputed, "too_late": too_late, "total": total},
        "reason": None,
        "message": f"I disputed {', '.join(disputed)}, £{total / 100:.2f} in all. It is too late for {', '.join(too_late)}.",
    }


def _bills(world, p):
    return world.initial.query(
        "SELECT i.id, i.invoice_number, i.issued_on, sum(l.amount_cents) AS total FROM invoices i JOIN hires h ON h.id = i.hire_id"
        " JOIN invoice_lines l ON l.invoice_id = i.id LEFT JOIN cleaning_repair_jobs j ON j.id = l.cleaning_repair_job_id"
        " WHERE h.customer_id = ? AND i.kind = 'damage' AND i.status = 'open' GROUP BY i.id, i.invoice_number, i.issued_on"
        " HAVING sum(l.amount_cents) > ? AND max(CASE WHEN j.kind = 'cleaning' THEN 1 ELSE 0 END) = 1 ORDER BY i.id",
        [p["id"], p["limit"]],
    )


def _fresh(world, p):
    return [b for b in _bills(world, p) if b["issued_on"] >= p["oldest"]]


def goal_disputes_them_all(world, p):
    """Every open damage invoice for cleaning above the limit that is not too old is disputed with the reason given."""
    for bill in _fresh(world, p):
        row = world.final.one("SELECT z.status, z.dispute_reason FROM invoices z WHERE z.id = ?", [bill["id"]])
        if row["status"] != "disputed" or not world.same_text(row["dispute_reason"] or "", p["reason"]):
            return False
    return True


def goal_says_which_were_disputed(world, p):
    """Says the numbers of the invoices that were disputed."""
    return world.report.says("disputed", [b["invoice_number"] for b in _fresh(world, p)])


def goal_says_for_which_it_is_too_late(world, p):
    """Says the numbers of the invoices that are too old to be disputed."""
    return world.report.says("too_late", [b["invoice_number"] for b in _bills(world, p) if b["issued_on"] < p["oldest"]])


def goal_says_the_total(world, p):
    """Says what the disputed invoices come to."""
    return world.report.says("total", sum(b["total"] for b in _fresh(world, p)))


def guard_disputes_only_these(world, p):
    """Changed nothing but the dispute of these invoices."""
    ids = [b["id"] for b in _fresh(world, p)]
    for change in world.changes:
        before, after = change["before"], change["after"]
        if change["table"] != "invoices" or before is None or after is None or before["id"] not in ids:
            return False
        if {k for k in before if before[k] != after[k]} != {"status", "disputed_at", "dispute_reason"} or after["status"] != "disputed":
            return False
    return True


def guard_reports_it_as_done(world, p):
    """Reports that it is done, with no rule as the reason."""
    return world.report.outcome in (None, "done") and world.report.reason is None
