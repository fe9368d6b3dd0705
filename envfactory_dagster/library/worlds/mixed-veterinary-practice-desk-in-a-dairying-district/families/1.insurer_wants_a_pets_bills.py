import datetime

NAMES = (
    ("Cassie", "dog"), ("Barney", "dog"), ("Pippin", "cat"), ("Dusty", "dog"), ("Olive", "cat"), ("Walter", "cat"), ("Skye", "dog"), ("Rosie", "dog"),
    ("Monty", "cat"), ("Clover", "dog"), ("Basil", "cat"), ("Toast", "dog"), ("Minnie", "cat"), ("Hank", "dog"), ("Lottie", "cat"), ("Archie", "dog"),
)
OWN = (
    ("consult", "Clinic consult", 8400, 9200), ("procedure", "Wound cleaned and stitched", 11500, 24500), ("dental", "Tooth scaled and polished", 15500, 28500),
    ("medicine", "Anti-inflammatory injection", 3200, 6800), ("medicine", "Course of antibiotic tablets", 4100, 9700), ("goods", "Prescription diet, 4 kg", 5900, 8900),
    ("procedure", "Bandage changed", 3500, 5200),
)
AWAY = (
    ("consult", "After-hours emergency visit", 26500, 29500), ("procedure", "X-ray, two views", 14500, 21000), ("medicine", "Pain relief and fluids", 4800, 12500),
)


def instances(world, rng):
    """A pet with a year of invoices of both practices, mixed with those of the other pets, and a stretch of days that cuts some off."""
    top = world.one(
        "SELECT (SELECT MAX(id) FROM patients) AS patient, (SELECT MAX(id) FROM invoices) AS invoice, (SELECT MAX(id) FROM invoice_lines) AS line,"
        " (SELECT MAX(id) FROM payments) AS payment")
    pets = world.query("SELECT id, name FROM patients WHERE client_id = 1 AND species IN ('dog', 'cat') ORDER BY id")
    known = {r["name"] for r in pets}
    today = datetime.date.fromisoformat(world.clock[:10])
    pool = [n for n in NAMES if n[0] not in known]
    for _ in range(200):
        (name, species), (second, second_species) = rng.sample(pool, 2)
        first = today - datetime.timedelta(days=rng.randint(190, 300))
        last = today - datetime.timedelta(days=rng.randint(25, 70))
        span = (last - first).days
        days = [first, last, first - datetime.timedelta(days=1), last + datetime.timedelta(days=1), first - datetime.timedelta(days=rng.randint(2, 30))]
        days += [first + datetime.timedelta(days=rng.randint(1, span - 1)) for _ in range(rng.randint(15, 22))]
        days.sort()
        ids = dict(top)
        me, other = ids["patient"] + 1, ids["patient"] + 2
        rows = {
            "patients": [
                {"id": me, "client_id": 1, "name": name, "kind": "animal", "species": species, "head_count": 1},
                {"id": other, "client_id": 1, "name": second, "kind": "animal", "species": second_species, "head_count": 1},
            ],
            "invoices": [], "invoice_lines": [], "payments": [],
        }
        others = [other] + [r["id"] for r in pets]
        inside = {"medicine": 0, "rest": 0, "away": 0}
        for day in days:
            away = rng.random() < 0.25
            ids["invoice"] += 1
            number = ids["invoice"]
            text = day.isoformat()
            rows["invoices"].append({
                "id": number, "code": ("LVS-%05d" if away else "INV-%05d") % (43000 + number), "client_id": 1, "practice": "neighbour" if away else "own",
                "issued_on": text, "due_on": (day + datetime.timedelta(days=14)).isoformat(), "status": "paid"})
            total = 0
            edge = day in (first, last) or day == first - datetime.timedelta(days=1) or day == last + datetime.timedelta(days=1)
            for who in ([me] if edge or rng.random() < 0.55 else []) + [rng.choice(others) for _ in range(rng.randint(0, 2))] or [other]:
                for kind, what, low, high in rng.sample(AWAY if away else OWN, rng.randint(1, 2)):
                    cents = rng.randrange(low, high + 1, 50)
                    ids["line"] += 1
                    rows["invoice_lines"].append({
                        "id": ids["line"], "invoice_id": number, "patient_id": who, "appointment_id": None, "medicine_order_id": None, "kind": kind,
                        "description": what, "provided_on": (day - datetime.timedelta(days=rng.randint(0, 2))).isoformat(), "amount_cents": cents})
                    total += cents
                    if who == me and first <= day <= last:
                        inside["medicine" if kind == "medicine" else "rest"] += cents
                        inside["away"] += cents if away else 0
            ids["payment"] += 1
            rows["payments"].append({
                "id": ids["payment"], "client_id": 1, "invoice_id": number, "appointment_id": None, "medicine_order_id": None, "kind": "payment",
                "amount_cents": total, "paid_at": (day + datetime.timedelta(days=rng.randint(2, 12))).isoformat() + "T10:%02d:00" % rng.randint(0, 59)})
        figures = list(inside.values())
        if min(figures) == 0 or len(set(figures)) < 3:
            continue
        yield {"p": {"pet": name, "first": first.isoformat(), "last": last.isoformat()}, "given": rows}


def solve(tools, p):
    pet = next(q for q in tools.search_patients(name=p["pet"])["patients"] if q["name"] == p["pet"])
    medicines = rest = away = invoices = 0
    for row in tools.search_invoices(first_day=p["first"], last_day=p["last"])["invoices"]:
        lines = [x for x in tools.get_invoice(invoice_id=row["id"])["invoice"]["lines"] if x["patient_id"] == pet["id"]]
        invoices += 1 if lines else 0
        for line in lines:
            if line["kind"] == "medicine":
                medicines += line["amount_cents"]
            else:
                rest += line["amount_cents"]
            if row["practice"] == "neighbour":
                away += line["amount_cents"]
    return {
        "outcome": "done",
        "answers": {"medicines": medicines, "everything_else": rest, "by_lawrence": away, "invoices": invoices},
        "reason": None,
        "message": f"{p['pet']} is on {invoices} invoices: ${medicines / 100:.2f} for medicines and ${rest / 100:.2f} for everything else, ${away / 100:.2f} of it all billed by Lawrence.",
    }


def _lines(world, p):
    return world.initial.query(
        "SELECT l.invoice_id, l.kind, l.amount_cents, i.practice FROM invoice_lines l JOIN invoices i ON i.id = l.invoice_id"
        " JOIN patients q ON q.id = l.patient_id"
        " WHERE i.client_id = 1 AND q.client_id = 1 AND q.name = ? AND i.issued_on >= ? AND i.issued_on <= ? ORDER BY l.id",
        [p["pet"], p["first"], p["last"]])


def goal_says_medicines(world, p):
    """Says what was billed for medicines."""
    return world.report.says("medicines", sum(r["amount_cents"] for r in _lines(world, p) if r["kind"] == "medicine"))


def goal_says_everything_else(world, p):
    """Says what was billed for everything else."""
    return world.report.says("everything_else", sum(r["amount_cents"] for r in _lines(world, p) if r["kind"] != "medicine"))


def goal_says_what_lawrence_billed(world, p):
    """Says how much of it all the neighbouring practice billed."""
    return world.report.says("by_lawrence", sum(r["amount_cents"] for r in _lines(world, p) if r["practice"] == "neighbour"))


def goal_says_on_how_many_invoices(world, p):
    """Says on how many invoices the pet stands."""
    return world.report.says("invoices", len({r["invoice_id"] for r in _lines(world, p)}))


def guard_changes_nothing(world, p):
    """Changed no row."""
    return len(world.changes) == 0


def guard_reports_it_as_done(world, p):
    """Reports that it is done, for no rule."""
    return world.report.outcome in (None, "done") and world.report.reason is None
