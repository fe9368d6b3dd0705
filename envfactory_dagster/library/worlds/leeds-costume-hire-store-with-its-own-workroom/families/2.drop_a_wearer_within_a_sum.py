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
    ("Merchant's brown coat", "coat", "18th century", "wool", "fur_feather_wool"),
    ("Merchant's striped waistcoat", "waistcoat", "18th century", "cotton", "washable"),
    ("Barrister's black gown", "cloak", "Victorian", "wool", "fur_feather_wool"),
    ("Gardener's canvas apron", "other", "Victorian", "cotton", "washable"),
    ("Butler's grey trousers", "trousers", "Edwardian", "wool", "fur_feather_wool"),
    ("Butler's black jacket", "jacket", "Edwardian", "wool", "fur_feather_wool"),
    ("Aunt's violet day dress", "dress", "Edwardian", "silk", "dry_clean"),
    ("Aunt's travelling cloak", "cloak", "Edwardian", "wool", "fur_feather_wool"),
    ("Clerk's shiny jacket", "jacket", "Victorian", "wool", "fur_feather_wool"),
    ("Peasant's linen shirt", "shirt", "18th century", "linen", "washable"),
    ("Gypsy's flounced skirt", "skirt", "19th century", "cotton", "washable"),
    ("Cardinal's scarlet cape", "cloak", "17th century", "silk", "dry_clean"),
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


def _between(off, first, last):
    moving = datetime.date.fromisoformat(first) + datetime.timedelta(days=1)
    count = 0
    while moving.isoformat() < last:
        if moving.weekday() < 5 and moving.isoformat() not in off:
            count += 1
        moving += datetime.timedelta(days=1)
    return count


def _customer(tools, name):
    return [c for c in tools.list_my_customers()["customers"] if c["name"] == name][0]


def _share(notice, fee):
    if notice >= 10:
        return (fee * 30 + 50) // 100
    if notice >= 5:
        return (fee * 60 + 50) // 100
    return fee


def instances(world, rng):
    """A confirmed hire with several pieces for one wearer who drops out, and a sum that may just be kept or not."""
    today = world.clock[:10]
    off = {r["day"] for r in world.query("SELECT day, 'f5' AS f FROM bank_holidays ORDER BY day", [])}
    top = world.one(
        "SELECT 'f5' AS f, (SELECT max(id) FROM hires) AS hire, (SELECT max(id) FROM hire_lines) AS line, (SELECT max(id) FROM pieces) AS piece,"
        " (SELECT max(id) FROM people) AS person, (SELECT max(id) FROM person_roles) AS role, (SELECT max(id) FROM fittings) AS fitting,"
        " (SELECT max(id) FROM invoices) AS invoice, (SELECT max(id) FROM invoice_lines) AS invoice_line,"
        " (SELECT max(id) FROM payments) AS payment, (SELECT max(id) FROM deposits) AS deposit",
        [],
    )
    taken = {r["starts_at"] for r in world.query("SELECT starts_at, 'f5' AS f FROM fittings WHERE status <> 'cancelled' ORDER BY id", [])}
    titles = {r["show_title"] for r in world.query("SELECT DISTINCT show_title, 'f5' AS f FROM hires ORDER BY show_title", [])}
    names = {r["full_name"] for r in world.query("SELECT full_name, 'f5' AS f FROM people ORDER BY id", [])}
    season = today[5:] >= "11-01" or today[5:] <= "01-06"
    customers = []
    for c in world.query(
        "SELECT c.id, c.name, c.kind, (SELECT count(*) FROM hire_lines l JOIN hires h ON h.id = l.hire_id WHERE h.customer_id = c.id"
        " AND l.status = 'active' AND h.status IN ('held', 'confirmed', 'out')) AS lines, 'f5' AS f FROM customers c WHERE c.id IN"
        " (SELECT customer_id FROM person_roles WHERE person_id = 1) ORDER BY c.id",
        [],
    ):
        room = (60 if c["kind"] == "school" else 20 if season else 40) - c["lines"] - 5
        if room >= 6:
            customers.append(c)
    if not customers:
        return
    for _ in range(6000):
        customer = rng.choice(customers)
        show = rng.choice([s for s in SHOWS if s not in titles])
        mine = rng.randint(2, 4)
        rest = rng.randint(2, 6 - mine)
        wear = rng.sample(WEAR, mine + rest)
        cast = rng.sample([n for n in NAMES if n[0] not in names], 2 + rest)
        collection = _add(off, today, rng.randint(3, 18))
        notice = _between(off, today, collection)
        weeks = rng.choice((1, 2))
        due = (datetime.date.fromisoformat(collection) + datetime.timedelta(days=7 * weeks)).isoformat()
        if due in off:
            continue
        rate = 85 if customer["kind"] == "school" else 100
        if mine + rest > 4 and customer["kind"] != "school":
            weeks = 1
            due = (datetime.date.fromisoformat(collection) + datetime.timedelta(days=7)).isoformat()
            if due in off:
                continue
        fee = ((2200 + (weeks - 1) * 1100) * rate + 50) // 100
        kept = mine * _share(notice, fee)
        within = rng.random() < 0.55
        limit = kept // 100 * 100 + rng.choice((0, 200, 500)) if within else kept // 100 * 100 - rng.choice((0, 200, 500))
        if within and limit < kept:
            limit += 100
        if not within and limit >= kept:
            limit -= 100
        if limit <= 0:
            continue
        held = _add(off, today, -rng.randint(19, 22))
        confirmed = _add(off, held, 3)
        total = fee * (mine + rest)
        first = (total * 30 + 50) // 100
        hire = top["hire"] + 1
        numbers = rng.sample(range(20000, 30000), 2)
        given = {
            "people": [], "person_roles": [], "pieces": [],
            "hires": [{
                "id": hire, "hire_number": "H-%05d" % rng.randint(20000, 29999), "customer_id": customer["id"], "show_title": show,
                "collection_date": collection, "due_date": due, "status": "confirmed", "held_at": held + "T10:20:00",
                "hold_lapses_at": _add(off, held, 5) + "T16:00:00", "confirmed_at": confirmed + "T11:05:00", "confirmed_by_person_id": 1,
            }],
            "hire_lines": [], "fittings": [], "invoices": [], "invoice_lines": [], "payments": [],
            "deposits": [{
                "id": top["deposit"] + 1, "hire_id": hire, "amount_cents": max(5000, 1000 * (mine + rest)), "status": "held",
                "paid_at": confirmed + "T15:12:00",
            }],
        }
        bills = [("confirmation", confirmed, first, "30% of the hire fee for ", True)]
        balance_day = _add(off, collection, -10)
        if balance_day <= today:
            bills.append(("balance", max(balance_day, confirmed), total - first, "Balance of the hire fee for ", rng.random() < 0.5))
        for n, (kind, issued, amount, label, is_paid) in enumerate(bills):
            given["invoices"].append({
                "id": top["invoice"] + 1 + n, "invoice_number": "INV-%05d" % numbers[n], "hire_id": hire, "kind": kind, "issued_on": issued,
                "due_on": _add(off, issued, 5), "status": "paid" if is_paid else "open",
            })
            given["invoice_lines"].append({
                "id": top["invoice_line"] + 1 + n, "invoice_id": top["invoice"] + 1 + n, "description": label + show, "amount_cents": amount,
            })
            if is_paid:
                given["payments"].append({
                    "id": top["payment"] + 1 + len(given["payments"]), "invoice_id": top["invoice"] + 1 + n, "kind": "payment",
                    "amount_cents": amount, "paid_at": issued + "T09:30:00" if issued == today else issued + "T15:10:00",
                })
        slots = []
        day = _add(off, today, 1)
        while day < collection:
            slots += [day + t for t in TIMES if day + t not in taken]
            day = _add(off, day, 1)
        rng.shuffle(slots)
        for n, (name, born) in enumerate(cast):
            given["people"].append({"id": top["person"] + 1 + n, "full_name": name, "birth_date": born})
            given["person_roles"].append({
                "id": top["role"] + 1 + n, "customer_id": customer["id"], "person_id": top["person"] + 1 + n, "role": "wearer",
            })
        order = list(range(mine + rest))
        rng.shuffle(order)
        lines = []
        for position, n in enumerate(order):
            description, garment, period, material, cleaning = wear[n]
            person = top["person"] + 1 if n < mine else top["person"] + 2 + n - mine
            piece, line = top["piece"] + 1 + position, top["line"] + 1 + position
            given["pieces"].append({
                "id": piece, "number": 20000 + piece, "description": description, "garment": garment, "period": period, "material": material,
                "cleaning_class": cleaning, "condition": "B", "replacement_value_cents": 9000 + 700 * n, "is_class_p": 0, "is_nativity": 0,
            })
            given["hire_lines"].append({
                "id": line, "hire_id": hire, "piece_id": piece, "wearer_person_id": person, "fee_cents": fee, "status": "active",
            })
            if slots and rng.random() < 0.4:
                given["fittings"].append({
                    "id": top["fitting"] + 1 + len(given["fittings"]), "hire_line_id": line, "person_id": person, "starts_at": slots.pop(),
                    "status": "booked", "fee_cents": 0 if all(f["person_id"] != person for f in given["fittings"]) else 1200,
                    "booked_at": confirmed + "T12:00:00",
                })
            if n < mine:
                booked = [f["id"] for f in given["fittings"] if f["hire_line_id"] == line]
                lines.append({"line": line, "what": description, "fittings": booked})
        for name in ("fittings", "payments"):
            if not given[name]:
                del given[name]
        yield {
            "p": {
                "customer": customer["name"], "show": show, "name": cast[0][0], "limit": limit, "hire": hire, "lines": lines,
                "stand_in": cast[-1][0], "stand_in_id": top["person"] + 2 + rest, "notice": notice, "each": _share(notice, fee), "fee": fee, "within": within, "balance": len(bills) == 2,
            },
            "given": given,
        }


def solve(tools, p):
    customer = _customer(tools, p["customer"])
    hires = tools.list_hires(customer_id=customer["id"], status="confirmed", show_title=p["show"])["hires"]
    hire = tools.get_hire(hire_id=[h for h in hires if h["show_title"] == p["show"]][0]["id"])
    lines = [l for l in hire["hire_lines"] if l["status"] == "active" and l["wearer_name"] == p["name"]]
    quotes = [tools.quote_cancellation(hire_line_id=l["id"]) for l in lines]
    kept = sum(q["kept_cents"] for q in quotes)
    notice = quotes[0]["notice_working_days"]
    cancelled = None
    if kept <= p["limit"]:
        cancelled = []
        for line in lines:
            tools.cancel_hire_line(hire_line_id=line["id"])
            cancelled.append(line["description"])
        done = "I cancelled " + ", ".join(cancelled)
    else:
        people = tools.list_customer_people(customer_id=customer["id"], role="wearer")["people"]
        stand_in = [q["person_id"] for q in people if q["full_name"] == p["stand_in"]][0]
        for fitting in tools.list_fittings(hire_id=hire["id"], status="booked")["fittings"]:
            if fitting["hire_line_id"] in [l["id"] for l in lines]:
                tools.cancel_fitting(fitting_id=fitting["id"])
        for line in lines:
            tools.set_line_wearer(hire_line_id=line["id"], person_id=stand_in)
        done = f"That is more than you want to lose, so {p['stand_in']} is down for all of it now"
    return {
        "outcome": "done",
        "answers": {"notice": notice, "kept": kept, "cancelled": cancelled},
        "reason": None,
        "message": f"With {notice} working days of notice the store keeps £{kept / 100:.2f} for what {p['name']} was to wear if it is cancelled. {done}.",
    }


def goal_cancels_the_lines_or_hands_them_over(world, p):
    """All lines of that wearer are cancelled where what is kept stays within the limit, and worn by the stand-in otherwise."""
    for item in p["lines"]:
        row = world.final.one("SELECT l.status, l.kept_cents, l.wearer_person_id FROM hire_lines l WHERE l.id = ?", [item["line"]])
        if p["within"] and (row["status"] != "cancelled" or row["kept_cents"] != p["each"]):
            return False
        if not p["within"] and (row["status"] != "active" or row["wearer_person_id"] != p["stand_in_id"]):
            return False
    return True


def guard_leaves_no_fitting_of_a_cancelled_line(world, p):
    """No fitting for these things is moved or booked anew, and none is left for somebody who does not wear them."""
    for item in p["lines"]:
        row = world.final.one("SELECT l.status, l.wearer_person_id FROM hire_lines l WHERE l.id = ?", [item["line"]])
        for fitting in world.final.query(
            "SELECT x.person_id FROM fittings x WHERE x.hire_line_id = ? AND x.status = 'booked' ORDER BY x.id", [item["line"]]
        ):
            if row["status"] == "cancelled" or row["wearer_person_id"] != fitting["person_id"]:
                return False
    return True


def goal_says_the_notice(world, p):
    """Says how many working days of notice there are."""
    return world.report.says("notice", p["notice"])


def goal_says_what_is_kept(world, p):
    """Says what the store keeps, or would keep, altogether."""
    return world.report.says("kept", len(p["lines"]) * p["each"])


def goal_says_what_was_cancelled(world, p):
    """Says which things were cancelled, nothing where it would have been too dear."""
    if world.report.outcome is None:
        return False
    return world.report.says("cancelled", [item["what"] for item in p["lines"]] if p["within"] else None)


def guard_changes_only_these_lines(world, p):
    """Changed nothing but these lines, their fittings and one credit note for each line cancelled after the balance was invoiced."""
    ids = [item["line"] for item in p["lines"]]
    notes, note_lines = {}, []
    for change in world.changes:
        before, after = change["before"], change["after"]
        if after is None:
            return False
        if before is None and change["table"] == "invoices":
            if after["hire_id"] != p["hire"] or after["kind"] != "credit" or after["status"] != "open":
                return False
            notes[after["id"]] = after
        elif before is None and change["table"] == "invoice_lines":
            note_lines.append(after)
        elif before is None:
            return False
        else:
            columns = {k for k in before if before[k] != after[k]}
            if change["table"] == "hire_lines":
                if before["id"] not in ids:
                    return False
                if p["within"] and (columns != {"status", "cancelled_at", "kept_cents"} or after["status"] != "cancelled"):
                    return False
                if not p["within"] and (columns != {"wearer_person_id"} or after["wearer_person_id"] != p["stand_in_id"]):
                    return False
            elif change["table"] == "fittings":
                if before["hire_line_id"] not in ids or columns != {"status", "cancelled_at"} or after["status"] != "cancelled":
                    return False
            else:
                return False
    due = len(ids) if p["within"] and p["balance"] and p["fee"] > p["each"] else 0
    if len(notes) > due or len(note_lines) > due:
        return False
    return all(
        row["invoice_id"] in notes and row["hire_line_id"] in ids and row["amount_cents"] == p["each"] - p["fee"] for row in note_lines
    )


def guard_reports_it_as_done(world, p):
    """Reports that it is done, with no rule as the reason."""
    return world.report.outcome in (None, "done") and world.report.reason is None
