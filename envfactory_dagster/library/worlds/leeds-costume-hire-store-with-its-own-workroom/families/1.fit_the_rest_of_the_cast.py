import datetime

SHOWS = (
    "The Mikado", "She Stoops to Conquer", "The School for Scandal", "A Doll's House", "The Country Wife", "Tartuffe",
    "The Gondoliers", "Hedda Gabler", "The Relapse", "Volpone", "The Critic", "Ruddigore", "Princess Ida", "The Sorcerer",
    "Box and Cox", "The Government Inspector", "The Miser", "Peer Gynt", "Uncle Vanya", "The Duchess of Malfi",
    "The Way of the World", "The Recruiting Officer", "An Ideal Husband", "Lady Audley's Secret", "Black-Eyed Susan",
)
NAMES = (
    ("Agnes Holt", "1961-04-12"), ("Barnaby Finch", "1983-09-30"), ("Cora Lindley", "1994-02-17"), ("Dominic Ashe", "1979-11-05"),
    ("Edith Barrow", "1957-06-21"), ("Farah Aziz", "1998-01-09"), ("Gordon Lister", "1966-08-14"), ("Hazel Midgley", "1990-12-02"),
    ("Ivan Petrov", "1987-03-26"), ("Janet Thwaite", "1963-07-18"), ("Kofi Mensah", "1992-10-11"), ("Lorna Speight", "1975-05-04"),
    ("Miles Radford", "1981-01-23"), ("Nora Dewhirst", "1969-09-08"), ("Owen Brearley", "1996-04-29"), ("Pippa Crossley", "1984-12-15"),
)
FITTED = (
    ("Rose silk corset with jet busk", "corset", "Victorian", "silk", "dry_clean", "waist", 26),
    ("Ivory boned bodice with pearls", "boned_bodice", "18th century", "satin", "dry_clean", "bust", 36),
    ("Sky-blue crinoline gown", "crinoline", "Victorian", "taffeta", "dry_clean", "bust", 35),
    ("Charcoal tailcoat with braid", "tailcoat", "Edwardian", "wool", "fur_feather_wool", "chest", 42),
    ("Herald's engraved breastplate", "armour", "Medieval", "steel", "washable", "chest", 40),
    ("Bottle-green tailcoat with gilt buttons", "tailcoat", "Regency", "wool", "fur_feather_wool", "chest", 44),
    ("Black boned bodice with lace yoke", "boned_bodice", "Victorian", "satin", "dry_clean", "bust", 38),
)
PLAIN = (
    ("Footman's mustard coat", "coat", "18th century", "wool", "fur_feather_wool", "chest", 40),
    ("Chambermaid's sprigged dress", "dress", "18th century", "cotton", "washable", "bust", 36),
    ("Notary's grey jacket", "jacket", "Regency", "wool", "fur_feather_wool", "chest", 42),
    ("Innkeeper's striped waistcoat", "waistcoat", "18th century", "cotton", "washable", "chest", 44),
    ("Shepherdess's blue skirt", "skirt", "18th century", "cotton", "washable", "waist", 28),
    ("Watchman's brown cloak", "cloak", "17th century", "wool", "fur_feather_wool", "chest", 46),
    ("Milliner's lilac dress", "dress", "Regency", "muslin", "washable", "bust", 34),
)
TIMES = ("T09:30:00", "T10:15:00", "T11:00:00", "T13:30:00", "T14:15:00", "T15:00:00")
MUST = ("corset", "boned_bodice", "crinoline", "tailcoat", "armour")


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


def instances(world, rng):
    """A confirmed hire of one of the user's customers whose cast is partly fitted, and a day with free slots, in time or too late."""
    now = world.clock
    today = now[:10]
    off = {r["day"] for r in world.query("SELECT day FROM bank_holidays ORDER BY day", [])}
    top = world.one(
        "SELECT (SELECT max(id) FROM hires) AS hire, (SELECT max(id) FROM hire_lines) AS line, (SELECT max(id) FROM pieces) AS piece,"
        " (SELECT max(id) FROM piece_measurements) AS measurement, (SELECT max(id) FROM people) AS person,"
        " (SELECT max(id) FROM person_roles) AS role, (SELECT max(id) FROM fittings) AS fitting,"
        " (SELECT max(id) FROM invoices) AS invoice, (SELECT max(id) FROM invoice_lines) AS invoice_line,"
        " (SELECT max(id) FROM payments) AS payment, (SELECT max(id) FROM deposits) AS deposit",
        [],
    )
    taken = {r["starts_at"] for r in world.query("SELECT starts_at FROM fittings WHERE status <> 'cancelled' ORDER BY starts_at", [])}
    titles = {r["show_title"] for r in world.query("SELECT DISTINCT show_title FROM hires ORDER BY show_title", [])}
    names = {r["full_name"] for r in world.query("SELECT full_name FROM people ORDER BY full_name", [])}
    customers = world.query(
        "SELECT c.id, c.name, c.kind, (SELECT r.person_id FROM person_roles r LEFT JOIN committee_letters k ON k.id = r.committee_letter_id"
        " WHERE r.customer_id = c.id AND r.role = 'signatory' AND (k.id IS NULL OR k.expires_on >= ?) ORDER BY r.id LIMIT 1) AS signs,"
        " (SELECT count(*) FROM hire_lines l JOIN hires h ON h.id = l.hire_id WHERE h.customer_id = c.id AND l.status = 'active'"
        " AND h.status IN ('held', 'confirmed', 'out')) AS lines FROM customers c WHERE EXISTS"
        " (SELECT 1 FROM person_roles m WHERE m.customer_id = c.id AND m.person_id = 1) ORDER BY c.id",
        [today],
    )
    season = today[5:] >= "11-01" or today[5:] <= "01-06"
    for _ in range(6000):
        if not customers:
            return
        customer = rng.choice(customers)
        limit = 60 if customer["kind"] == "school" else 20 if season else 40
        most = min(9, limit - customer["lines"] - 5)
        if customer["signs"] is None:
            most = min(most, 6)
        if most < 5:
            continue
        show = rng.choice([s for s in SHOWS if s not in titles])
        need = rng.randint(2, min(4, most - 2))
        fitted_already = rng.randint(1, 2)
        plain = max(1, min(most - need - fitted_already, rng.randint(2, 4)))
        chosen = rng.sample(FITTED, need + fitted_already)
        wanted = [(piece, "needs") for piece in chosen[:need]]
        wanted += [(piece, "has") for piece in chosen[need:]]
        wanted += [(piece, "plain") for piece in rng.sample(PLAIN, plain)]
        rng.shuffle(wanted)
        cast = rng.sample([n for n in NAMES if n[0] not in names], len(wanted))
        collection = _add(off, today, rng.randint(18, 45))
        due = (datetime.date.fromisoformat(collection) + datetime.timedelta(days=7)).isoformat()
        if due in off:
            continue
        latest = _add(off, collection, -11)
        days = []
        day = _add(off, today, 2)
        while day < collection:
            days.append(day)
            day = _add(off, day, 1)
        in_time = [d for d in days if d <= latest]
        too_late = [d for d in days if d > latest]
        refused = rng.random() < 0.4
        near = sorted(too_late)[:4] if refused else sorted(in_time)[-6:]
        if not near:
            continue
        day = rng.choice(near)
        if len([t for t in TIMES if day + t not in taken]) < need + 1:
            continue
        held_day = _add(off, today, -rng.randint(13, 16))
        confirmed_day = _add(off, held_day, 2)
        rate = 85 if customer["kind"] == "school" else 100
        fee = (2200 * rate + 50) // 100
        total = fee * len(wanted)
        first = (total * 30 + 50) // 100
        hire = top["hire"] + 1
        given = {
            "people": [], "person_roles": [], "pieces": [], "piece_measurements": [],
            "hires": [{
                "id": hire, "hire_number": "H-%05d" % rng.randint(20000, 29999), "customer_id": customer["id"], "show_title": show,
                "collection_date": collection, "due_date": due, "status": "confirmed", "held_at": held_day + "T10:20:00",
                "hold_lapses_at": _add(off, held_day, 5) + "T16:00:00", "confirmed_at": confirmed_day + "T11:05:00",
                "confirmed_by_person_id": customer["signs"] or 1,
            }],
            "hire_lines": [], "fittings": [],
            "invoices": [{
                "id": top["invoice"] + 1, "invoice_number": "INV-%05d" % rng.randint(20000, 29999), "hire_id": hire,
                "kind": "confirmation", "issued_on": confirmed_day, "due_on": _add(off, confirmed_day, 5), "status": "paid",
            }],
            "invoice_lines": [{
                "id": top["invoice_line"] + 1, "invoice_id": top["invoice"] + 1,
                "description": "30% of the hire fee for " + show, "amount_cents": first,
            }],
            "payments": [{
                "id": top["payment"] + 1, "invoice_id": top["invoice"] + 1, "kind": "payment", "amount_cents": first,
                "paid_at": confirmed_day + "T15:10:00",
            }],
            "deposits": [{
                "id": top["deposit"] + 1, "hire_id": hire, "amount_cents": max(5000, 1000 * len(wanted)), "status": "held",
                "paid_at": confirmed_day + "T15:12:00",
            }],
        }
        past_day = _add(off, confirmed_day, 3)
        past = [past_day + t for t in TIMES if past_day + t not in taken]
        rng.shuffle(past)
        lines = []
        for n, ((piece, how), (name, born)) in enumerate(zip(wanted, cast)):
            description, garment, period, material, cleaning, measure, inches = piece
            person, piece_id, line = top["person"] + 1 + n, top["piece"] + 1 + n, top["line"] + 1 + n
            given["people"].append({"id": person, "full_name": name, "birth_date": born})
            given["person_roles"].append({"id": top["role"] + 1 + n, "customer_id": customer["id"], "person_id": person, "role": "wearer"})
            given["pieces"].append({
                "id": piece_id, "number": 20000 + piece_id, "description": description, "garment": garment, "period": period,
                "material": material, "cleaning_class": cleaning, "condition": "B", "replacement_value_cents": 12000 + 500 * n,
                "is_class_p": 0, "is_nativity": 0,
            })
            given["piece_measurements"].append({
                "id": top["measurement"] + 1 + n, "piece_id": piece_id, "measure": measure, "label_inches": inches,
                "current_inches": inches, "smallest_inches": inches - 2, "largest_inches": inches + 2,
            })
            given["hire_lines"].append({
                "id": line, "hire_id": hire, "piece_id": piece_id, "wearer_person_id": person, "fee_cents": fee, "status": "active",
            })
            fitting = {
                "id": top["fitting"] + 1 + len(given["fittings"]), "hire_line_id": line, "person_id": person, "fee_cents": 0,
                "booked_at": confirmed_day + "T12:00:00",
            }
            if how == "has" and past:
                given["fittings"].append(dict(fitting, starts_at=past.pop(), status="attended"))
            elif how == "needs" and past and rng.random() < 0.35:
                if rng.random() < 0.5:
                    given["fittings"].append(dict(fitting, starts_at=past.pop(), status="missed"))
                else:
                    given["fittings"].append(
                        dict(fitting, starts_at=past.pop(), status="cancelled", cancelled_at=confirmed_day + "T13:00:00")
                    )
            if how == "needs":
                lines.append({"line": line, "person": person, "name": name})
        if not given["fittings"]:
            del given["fittings"]
        p = {"customer": customer["name"], "show": show, "day": day, "hire": hire, "lines": lines, "refused": refused}
        if refused:
            yield {"p": p, "given": given, "kind": "refusal", "rule": "fitting_before_collection"}
        else:
            yield {"p": p, "given": given}


def solve(tools, p):
    customer = _customer(tools, p["customer"])
    hires = tools.list_hires(customer_id=customer["id"], show_title=p["show"])["hires"]
    hire = tools.get_hire(hire_id=[h for h in hires if h["show_title"] == p["show"]][0]["id"])
    fitted = {
        f["hire_line_id"]
        for f in tools.list_fittings(hire_id=hire["id"])["fittings"]
        if f["status"] in ("booked", "attended")
    }
    wanted = []
    for line in hire["hire_lines"]:
        if line["status"] != "active" or line["piece_id"] is None or line["wearer_person_id"] is None or line["id"] in fitted:
            continue
        if line["is_class_p"] == 1 or tools.get_piece(piece_id=line["piece_id"])["garment"] in MUST:
            wanted.append(line)
    slots = tools.list_free_fitting_slots(day=p["day"])["slots"]
    booked = []
    for line, slot in zip(wanted, slots):
        try:
            tools.book_fitting(hire_line_id=line["id"], starts_at=slot["starts_at"])
        except tools.Error:
            return {
                "outcome": "refused",
                "answers": {"people": None},
                "reason": "fitting_before_collection",
                "message": f"I cannot book these fittings on {p['day']}: such pieces must be fitted at least 10 working days before collection on {hire['collection_date']}.",
            }
        booked.append(line["wearer_name"])
    return {
        "outcome": "done",
        "answers": {"people": booked},
        "reason": None,
        "message": f"On {p['day']} I booked fittings for {', '.join(booked)}.",
    }


def goal_books_every_missing_fitting(world, p):
    """Everyone who must be fitted and was not has one booked fitting for that piece on that day, or the request is refused by the rule."""
    if p["refused"]:
        return world.report.outcome == "refused" and world.report.reason == "fitting_before_collection"
    for item in p["lines"]:
        rows = world.final.query(
            "SELECT person_id, substr(starts_at, 1, 10) AS day FROM fittings WHERE hire_line_id = ? AND status = 'booked'", [item["line"]]
        )
        if len(rows) != 1 or rows[0]["person_id"] != item["person"] or rows[0]["day"] != p["day"]:
            return False
    return True


def goal_says_who_was_booked(world, p):
    """Says who has been booked, or nobody where it is refused."""
    if world.report.outcome is None:
        return False
    return world.report.says("people", None if p["refused"] else [item["name"] for item in p["lines"]])


def guard_adds_only_these_fittings(world, p):
    """Changed nothing but one new fitting for each of these lines."""
    left = {} if p["refused"] else {item["line"]: item["person"] for item in p["lines"]}
    for change in world.changes:
        row = change["after"]
        if change["table"] != "fittings" or change["before"] is not None or row is None:
            return False
        if left.pop(row["hire_line_id"], None) != row["person_id"] or row["status"] != "booked":
            return False
        earlier = world.initial.one(
            "SELECT count(*) AS n FROM fittings f JOIN hire_lines l ON l.id = f.hire_line_id WHERE l.hire_id = ? AND f.person_id = ?"
            " AND f.status <> 'cancelled'",
            [p["hire"], row["person_id"]],
        )["n"]
        if row["fee_cents"] != (1200 if earlier else 0):
            return False
        if row["starts_at"][:10] != p["day"]:
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
    return world.report.reason == ("fitting_before_collection" if p["refused"] else None)
