import datetime

SHOWS = (
    "The Mikado", "She Stoops to Conquer", "The School for Scandal", "A Doll's House", "The Country Wife", "Tartuffe",
    "The Gondoliers", "Hedda Gabler", "The Relapse", "Volpone", "The Critic", "Ruddigore", "Princess Ida", "The Sorcerer",
    "Box and Cox", "The Government Inspector", "The Miser", "Peer Gynt", "Uncle Vanya", "The Duchess of Malfi",
    "The Way of the World", "The Recruiting Officer", "An Ideal Husband", "Lady Audley's Secret", "Black-Eyed Susan",
    "The Seagull", "Three Sisters", "Ghosts", "Hamlet", "Macbeth", "As You Like It", "The Tempest", "Cymbeline",
    "The Winter's Tale", "Much Ado About Nothing", "The Merry Wives of Windsor", "Doctor Faustus", "Every Man in His Humour",
)
PIECES = (
    ("Courtier's plum doublet", "jacket", "17th century", "velvet", "dry_clean"),
    ("Page's blue tunic", "other", "Medieval", "cotton", "washable"),
    ("Dowager's black silk dress", "dress", "Victorian", "silk", "dry_clean"),
    ("Coachman's caped greatcoat", "coat", "Regency", "wool", "fur_feather_wool"),
    ("Dairymaid's green skirt", "skirt", "18th century", "cotton", "washable"),
    ("Officer's white breeches", "trousers", "Regency", "cotton", "washable"),
    ("Scholar's grey gown", "cloak", "17th century", "wool", "fur_feather_wool"),
    ("Nursemaid's striped dress", "dress", "Edwardian", "cotton", "washable"),
)
REASONS = (
    "Extra cleaning of greasepaint at the collar", "Hem trodden down, restitched", "Two buttons lost, replaced", "Torn lining at the left sleeve",
    "Mud at the hem, cleaned twice", "Lace ripped at the cuff", "Seam burst under the arm", "Glitter in the braid, picked out",
)
AMOUNTS = (600, 700, 900, 1200, 1400, 1800, 2100)


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
    """A long stretch of past hires of one of the user's customers, some of whose deposits are held up by charges not agreed."""
    now = world.clock
    today = now[:10]
    off = {r["day"] for r in world.query("SELECT b.day FROM bank_holidays b ORDER BY b.day", [])}
    top = world.one(
        "SELECT (SELECT max(id) FROM pieces) AS piece, (SELECT max(id) FROM hires) AS hire, (SELECT max(id) FROM hire_lines) AS line,"
        " (SELECT max(id) FROM cleaning_repair_jobs) AS job, (SELECT max(id) FROM deposits) AS deposit,"
        " (SELECT max(id) FROM deposit_charges) AS charge, (SELECT max(id) FROM invoices) AS invoice,"
        " (SELECT max(id) FROM invoice_lines) AS invoice_line, (SELECT max(id) FROM payments) AS payment",
        [],
    )
    titles = {r["show_title"] for r in world.query("SELECT h.show_title FROM hires h ORDER BY h.show_title", [])}
    customers = world.query(
        "SELECT c.id, c.name, c.kind FROM customers c JOIN person_roles r ON r.customer_id = c.id WHERE r.person_id = 1"
        " GROUP BY c.id, c.name, c.kind ORDER BY c.id",
        [],
    )
    signatories = world.query(
        "SELECT r.customer_id, r.person_id, k.received_on, k.expires_on FROM person_roles r"
        " LEFT JOIN committee_letters k ON k.id = r.committee_letter_id WHERE r.role = 'signatory' ORDER BY r.id",
        [],
    )
    free = [s for s in SHOWS if s not in titles]
    for _ in range(6000):
        if not customers:
            return
        customer = rng.choice(customers)
        span = rng.randint(170, 300)
        first = (datetime.date.fromisoformat(today) - datetime.timedelta(days=span)).isoformat()
        last = (datetime.date.fromisoformat(today) - datetime.timedelta(days=rng.randint(24, 40))).isoformat()
        count = rng.randint(19, 27)
        given = {
            "pieces": [], "hires": [], "hire_lines": [], "cleaning_repair_jobs": [], "deposits": [], "deposit_charges": [],
            "invoices": [], "invoice_lines": [], "payments": [],
        }
        numbers = rng.sample(range(20000, 30000), count)
        invoice_numbers = rng.sample(range(20000, 30000), 2 * count)
        shows = rng.sample(free, count)
        open_shows = 0
        for n in range(count):
            outside = n >= count - 2
            back = rng.randint(span + 10, span + 60) if outside else rng.randint(42, span - 2)
            around = (datetime.date.fromisoformat(today) - datetime.timedelta(days=back)).isoformat()
            collection = _add(off, around, 1)
            due = _add(off, (datetime.date.fromisoformat(collection) + datetime.timedelta(days=6)).isoformat(), 1)
            if due != (datetime.date.fromisoformat(collection) + datetime.timedelta(days=7)).isoformat():
                collection = _add(off, due, -1)
                due = _add(off, collection, 4)
            held = _add(off, collection, -24)
            confirmed = _add(off, held, 2)
            inspected = _add(off, due, 2)
            agreed = _add(off, inspected, 1)
            closed = _add(off, inspected, 4)
            how = rng.choice(("closed", "closed", "closed", "open", "open", "hold"))
            hire, piece, line = top["hire"] + 1 + n, top["piece"] + 1 + n, top["line"] + 1 + n
            description, garment, period, material, cleaning = rng.choice(PIECES)
            given["pieces"].append({
                "id": piece, "number": 20000 + piece, "description": description + ", second of two", "garment": garment, "period": period,
                "material": material, "cleaning_class": cleaning, "condition": "B", "replacement_value_cents": 15000,
                "is_class_p": 0, "is_nativity": 0,
            })
            fee = 1870 if customer["kind"] == "school" else 2200
            row = {
                "id": hire, "hire_number": "H-%05d" % numbers[n], "customer_id": customer["id"], "show_title": shows[n],
                "collection_date": collection, "due_date": due, "held_at": held + "T10:15:00",
                "hold_lapses_at": _add(off, held, 5) + "T16:00:00",
            }
            if how == "hold":
                gone = row["hold_lapses_at"]
                given["hires"].append(dict(row, status="cancelled", cancelled_at=gone))
                given["hire_lines"].append({
                    "id": line, "hire_id": hire, "piece_id": piece, "fee_cents": fee, "status": "cancelled", "cancelled_at": gone, "kept_cents": 0,
                })
                continue
            row = dict(
                row, confirmed_at=confirmed + "T11:00:00", confirmed_by_person_id=1, collected_at=collection + "T10:30:00",
                returned_at=due + "T11:15:00", inspected_at=inspected + "T14:00:00",
            )
            deposit = top["deposit"] + 1 + len(given["deposits"])
            money = {"id": deposit, "hire_id": hire, "amount_cents": 5000, "paid_at": confirmed + "T15:12:00"}
            signs = [
                s["person_id"] for s in signatories
                if s["customer_id"] == customer["id"] and (s["expires_on"] is None or s["received_on"] <= agreed <= s["expires_on"])
            ]
            charges = []
            reasons = rng.sample(REASONS, 3)
            if how == "open":
                charges.append((reasons[0], False))
                if rng.random() < 0.4:
                    charges.append((reasons[1], False))
            if signs and rng.random() < 0.5:
                charges.append((reasons[2], True))
            if how == "open":
                given["hires"].append(dict(row, status="inspected"))
                given["deposits"].append(dict(money, status="held"))
                open_shows += 0 if outside else 1
            else:
                given["hires"].append(dict(row, status="closed", closed_at=closed + "T10:00:00"))
                given["deposits"].append(dict(money, status="released", released_at=closed + "T09:45:00"))
            given["hire_lines"].append({"id": line, "hire_id": hire, "piece_id": piece, "fee_cents": fee, "status": "active"})
            rest = {"washable": 3, "dry_clean": 5, "fur_feather_wool": 8}[cleaning]
            given["cleaning_repair_jobs"].append({
                "id": top["job"] + 1 + len(given["cleaning_repair_jobs"]), "piece_id": piece, "hire_id": hire, "kind": "cleaning",
                "description": "Cleaned and pressed", "reported_on": due, "finished_on": _add(off, due, rest - 1),
                "back_on_rail_on": _add(off, due, rest), "paid_by": "store", "status": "finished",
            })
            for reason, is_agreed in charges:
                charge = {
                    "id": top["charge"] + 1 + len(given["deposit_charges"]), "deposit_id": deposit, "hire_line_id": line, "reason": reason,
                    "amount_cents": rng.choice(AMOUNTS), "charged_at": inspected + "T14:10:00",
                }
                if is_agreed:
                    charge = dict(charge, agreed_at=agreed + "T10:00:00", agreed_by_person_id=signs[0])
                given["deposit_charges"].append(charge)
            part = (fee * 30 + 50) // 100
            for kind, amount, issued, label in (
                ("confirmation", part, confirmed, "30% of the hire fee for "),
                ("balance", fee - part, _add(off, collection, -10), "Balance of the hire fee for "),
            ):
                invoice = top["invoice"] + 1 + len(given["invoices"])
                paid = _add(off, issued, 3)
                given["invoices"].append({
                    "id": invoice, "invoice_number": "INV-%05d" % invoice_numbers[len(given["invoices"])], "hire_id": hire, "kind": kind,
                    "issued_on": issued, "due_on": _add(off, issued, 5), "status": "paid",
                })
                given["invoice_lines"].append({
                    "id": top["invoice_line"] + 1 + len(given["invoice_lines"]), "invoice_id": invoice,
                    "description": label + shows[n], "amount_cents": amount,
                })
                given["payments"].append({
                    "id": top["payment"] + 1 + len(given["payments"]), "invoice_id": invoice, "kind": "payment", "amount_cents": amount,
                    "paid_at": paid + "T11:30:00",
                })
        if open_shows < 2:
            continue
        yield {"p": {"customer": customer["name"], "first": first, "last": last, "id": customer["id"]}, "given": given}


def solve(tools, p):
    customer = _customer(tools, p["customer"])
    held = 0
    waiting = 0
    shows = []
    for hire in tools.list_hires(customer_id=customer["id"], first_day=p["first"], last_day=p["last"])["hires"]:
        try:
            deposit = tools.get_deposit(hire_id=hire["id"])
        except tools.Error:
            continue
        if deposit["status"] != "held":
            continue
        held += deposit["amount_cents"]
        open_charges = [c["amount_cents"] for c in deposit["deposit_charges"] if c["agreed_at"] is None]
        if open_charges:
            waiting += sum(open_charges)
            shows.append(hire["show_title"])
    return {
        "outcome": "done",
        "answers": {"held": held, "not_agreed": waiting, "shows": shows},
        "reason": None,
        "message": f"We still hold £{held / 100:.2f} in deposits for these hires. Charges of £{waiting / 100:.2f} have not been agreed to, for {', '.join(shows)}.",
    }


def _held(world, p):
    return world.initial.query(
        "SELECT d.id, d.amount_cents, h.show_title FROM deposits d JOIN hires h ON h.id = d.hire_id WHERE h.customer_id = ?"
        " AND h.collection_date >= ? AND h.collection_date <= ? AND d.status = 'held' ORDER BY d.id",
        [p["id"], p["first"], p["last"]],
    )


def _open(world, p):
    return world.initial.query(
        "SELECT g.amount_cents, h.show_title FROM deposit_charges g JOIN deposits d ON d.id = g.deposit_id JOIN hires h ON h.id = d.hire_id"
        " WHERE h.customer_id = ? AND h.collection_date >= ? AND h.collection_date <= ? AND d.status = 'held' AND g.agreed_at IS NULL"
        " ORDER BY g.id",
        [p["id"], p["first"], p["last"]],
    )


def goal_says_what_is_held(world, p):
    """Says how much is still held in deposits for these hires."""
    return world.report.says("held", sum(r["amount_cents"] for r in _held(world, p)))


def goal_says_what_is_not_agreed(world, p):
    """Says what the charges come to that have not been agreed to."""
    return world.report.says("not_agreed", sum(r["amount_cents"] for r in _open(world, p)))


def goal_says_for_which_shows(world, p):
    """Says for which shows there are such charges."""
    return world.report.says("shows", sorted({r["show_title"] for r in _open(world, p)}))


def guard_changes_nothing(world, p):
    """Changed nothing at all."""
    return len(world.changes) == 0


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done") and world.report.reason is None
