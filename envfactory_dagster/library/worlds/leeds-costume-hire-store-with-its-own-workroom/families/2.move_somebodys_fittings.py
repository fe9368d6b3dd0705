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
    ("Rust corset with gold piping", "corset", "Victorian", "coutil", "washable", True),
    ("Navy tailcoat with velvet collar", "tailcoat", "Regency", "velvet", "dry_clean", True),
    ("Apricot boned bodice with bows", "boned_bodice", "18th century", "satin", "dry_clean", True),
    ("Striped crinoline gown in grey", "crinoline", "Victorian", "taffeta", "dry_clean", True),
    ("Centurion's cuirass", "armour", "Roman", "leather", "dry_clean", True),
    ("Cream tailcoat with pearl buttons", "tailcoat", "Edwardian", "wool", "fur_feather_wool", True),
    ("Widow's veil and black dress", "dress", "Victorian", "crepe", "dry_clean", False),
    ("Ostler's leather waistcoat", "waistcoat", "18th century", "leather", "dry_clean", False),
    ("Admiral's blue coat", "coat", "Regency", "wool", "fur_feather_wool", False),
    ("Vicar's black jacket", "jacket", "Edwardian", "wool", "fur_feather_wool", False),
    ("Flower girl's cotton dress", "dress", "Edwardian", "cotton", "washable", False),
    ("Troubadour's green tunic", "other", "Medieval", "wool", "fur_feather_wool", False),
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


def instances(world, rng):
    """Somebody in several shows with fittings on several days, a stretch in which they cannot come, and another day that is in time or too late."""
    today = world.clock[:10]
    off = {r["day"] for r in world.query("SELECT day, 'f7' AS f FROM bank_holidays ORDER BY day", [])}
    top = world.one(
        "SELECT 'f7' AS f, (SELECT max(id) FROM hires) AS hire, (SELECT max(id) FROM hire_lines) AS line, (SELECT max(id) FROM pieces) AS piece,"
        " (SELECT max(id) FROM people) AS person, (SELECT max(id) FROM person_roles) AS role, (SELECT max(id) FROM fittings) AS fitting,"
        " (SELECT max(id) FROM invoices) AS invoice, (SELECT max(id) FROM invoice_lines) AS invoice_line,"
        " (SELECT max(id) FROM payments) AS payment, (SELECT max(id) FROM deposits) AS deposit",
        [],
    )
    taken = {r["starts_at"] for r in world.query("SELECT starts_at, 'f7' AS f FROM fittings WHERE status <> 'cancelled' ORDER BY id", [])}
    titles = {r["show_title"] for r in world.query("SELECT DISTINCT show_title, 'f7' AS f FROM hires ORDER BY show_title", [])}
    names = {r["full_name"] for r in world.query("SELECT full_name, 'f7' AS f FROM people ORDER BY id", [])}
    season = today[5:] >= "11-01" or today[5:] <= "01-06"
    customers = []
    for c in world.query(
        "SELECT c.kind, c.name, c.id, (SELECT count(*) FROM hire_lines l JOIN hires h ON h.id = l.hire_id WHERE h.customer_id = c.id"
        " AND l.status = 'active' AND h.status IN ('held', 'confirmed', 'out')) AS lines, 'f7' AS f FROM customers c WHERE c.id IN"
        " (SELECT customer_id FROM person_roles WHERE person_id = 1) ORDER BY c.id",
        [],
    ):
        if (60 if c["kind"] == "school" else 20 if season else 40) - c["lines"] - 4 >= 5:
            customers.append(c)
    if not customers:
        return
    for _ in range(6000):
        customer = rng.choice(customers)
        count = rng.randint(3, 5)
        shows = rng.sample([s for s in SHOWS if s not in titles], count)
        name, born = rng.choice([n for n in NAMES if n[0] not in names])
        refused = rng.random() < 0.4
        days = [_add(off, today, 1)]
        for _day in range(60):
            days.append(_add(off, days[-1], 1))
        begin = rng.randint(0, 4)
        length = rng.randint(3, 6)
        first, last = days[begin], days[begin + length - 1]
        target_at = begin + length + rng.randint(0, 6)
        target = days[target_at]
        inside = 1 if refused else rng.randint(2, min(4, count - 1))
        free_then = [target + t for t in TIMES if target + t not in taken]
        if len(free_then) < inside + 1:
            continue
        person = top["person"] + 1
        rate = 85 if customer["kind"] == "school" else 100
        fee = (2200 * rate + 50) // 100
        given = {
            "people": [{"id": person, "full_name": name, "birth_date": born}],
            "person_roles": [{"id": top["role"] + 1, "customer_id": customer["id"], "person_id": person, "role": "wearer"}],
            "pieces": [], "hires": [], "hire_lines": [], "fittings": [], "invoices": [], "invoice_lines": [], "payments": [], "deposits": [],
        }
        used = set(taken)
        held = _add(off, today, -rng.randint(12, 14))
        confirmed = _add(off, held, 2)
        numbers = rng.sample(range(20000, 30000), 2 * count)
        strict = [w for w in WEAR if w[5]]
        plain = [w for w in WEAR if not w[5]]
        rng.shuffle(strict)
        rng.shuffle(plain)
        moved = []
        good = True
        order = list(range(count))
        rng.shuffle(order)
        for position, n in enumerate(order):
            is_inside = n < inside
            must = True if refused and is_inside else rng.random() < 0.6
            wear = strict.pop() if must and strict else plain.pop()
            must = wear[5]
            if refused and is_inside:
                day = days[begin + rng.randint(0, length - 1)]
                ahead = [d for d in days if _between(off, day, d) >= 10 and _between(off, target, d) < 10 and d > target]
            elif is_inside:
                day = days[begin + rng.randint(0, length - 1)]
                ahead = [d for d in days if d > target and (not must or _between(off, target, d) >= 10)]
            else:
                day = rng.choice([d for d in days[: begin + length + 8] if d < first or d > last])
                ahead = [d for d in days if d > day and d > target and (not must or _between(off, day, d) >= 10)]
            ahead = [d for d in ahead if _between(off, today, d) >= 11]
            slots = [day + t for t in TIMES if day + t not in used and not (day == target and len(free_then) < inside + 2)]
            if not ahead or not slots:
                good = False
                break
            collection = ahead[0] if rng.random() < 0.5 else rng.choice(ahead[:12])
            due = (datetime.date.fromisoformat(collection) + datetime.timedelta(days=7)).isoformat()
            if due in off:
                due = _add(off, due, 1)
            slot = rng.choice(slots)
            used.add(slot)
            if day == target:
                free_then = [s for s in free_then if s != slot]
            hire, piece, line, fitting = top["hire"] + 1 + n, top["piece"] + 1 + n, top["line"] + 1 + n, top["fitting"] + 1 + n
            given["pieces"].append({
                "id": piece, "number": 20000 + piece, "description": wear[0], "garment": wear[1], "period": wear[2], "material": wear[3],
                "cleaning_class": wear[4], "condition": "B", "replacement_value_cents": 18000 + 300 * n, "is_class_p": 0, "is_nativity": 0,
            })
            given["hires"].append({
                "id": hire, "hire_number": "H-%05d" % numbers[n], "customer_id": customer["id"], "show_title": shows[n],
                "collection_date": collection, "due_date": due, "status": "confirmed", "held_at": held + "T10:20:00",
                "hold_lapses_at": _add(off, held, 5) + "T16:00:00", "confirmed_at": confirmed + "T11:05:00", "confirmed_by_person_id": 1,
            })
            given["hire_lines"].append({
                "id": line, "hire_id": hire, "piece_id": piece, "wearer_person_id": person, "fee_cents": fee, "status": "active",
            })
            given["fittings"].append({
                "id": fitting, "hire_line_id": line, "person_id": person, "starts_at": slot, "status": "booked", "fee_cents": 0,
                "booked_at": confirmed + "T12:00:00",
            })
            part = (fee * 30 + 50) // 100
            given["invoices"].append({
                "id": top["invoice"] + 1 + n, "invoice_number": "INV-%05d" % numbers[count + n], "hire_id": hire, "kind": "confirmation",
                "issued_on": confirmed, "due_on": _add(off, confirmed, 5), "status": "paid",
            })
            given["invoice_lines"].append({
                "id": top["invoice_line"] + 1 + n, "invoice_id": top["invoice"] + 1 + n, "description": "30% of the hire fee for " + shows[n],
                "amount_cents": part,
            })
            given["payments"].append({
                "id": top["payment"] + 1 + n, "invoice_id": top["invoice"] + 1 + n, "kind": "payment", "amount_cents": part,
                "paid_at": confirmed + "T15:10:00",
            })
            given["deposits"].append({
                "id": top["deposit"] + 1 + n, "hire_id": hire, "amount_cents": 5000, "status": "held", "paid_at": confirmed + "T15:12:00",
            })
            if is_inside:
                moved.append({"fitting": fitting, "show": shows[n]})
        if not good or len(free_then) < inside:
            continue
        for rows in given.values():
            rows.sort(key=lambda r: r["id"])
        p = {"customer": customer["name"], "name": name, "first": first, "last": last, "target": target, "moved": moved, "refused": refused}
        if refused:
            yield {"p": p, "given": given, "kind": "refusal", "rule": "fitting_before_collection"}
        else:
            yield {"p": p, "given": given}


def solve(tools, p):
    customer = _customer(tools, p["customer"])
    fittings = []
    for status in ("held", "confirmed"):
        for hire in tools.list_hires(customer_id=customer["id"], status=status)["hires"]:
            for fitting in tools.list_fittings(hire_id=hire["id"], status="booked")["fittings"]:
                if fitting["full_name"] == p["name"] and p["first"] <= fitting["starts_at"][:10] <= p["last"]:
                    fittings.append((fitting, hire))
    slots = tools.list_free_fitting_slots(day=p["target"])["slots"]
    shows = []
    for (fitting, hire), slot in zip(fittings, slots):
        try:
            tools.move_fitting(fitting_id=fitting["id"], starts_at=slot["starts_at"])
        except tools.Error:
            return {
                "outcome": "refused",
                "answers": {"shows": None},
                "reason": "fitting_before_collection",
                "message": f"I cannot move it to {p['target']}: such a piece must be fitted at least 10 working days before collection, and {hire['show_title']} is collected on {hire['collection_date']}.",
            }
        shows.append(hire["show_title"])
    return {
        "outcome": "done",
        "answers": {"shows": shows},
        "reason": None,
        "message": f"The fittings of {p['name']} for {', '.join(shows)} are moved to {p['target']}.",
    }


def goal_moves_the_fittings_to_that_day(world, p):
    """Every fitting of that person in the stretch is booked on the new day, or the request is refused by the rule."""
    if p["refused"]:
        return world.report.outcome == "refused" and world.report.reason == "fitting_before_collection"
    for item in p["moved"]:
        row = world.final.one("SELECT x.status, substr(x.starts_at, 1, 10) AS day FROM fittings x WHERE x.id = ?", [item["fitting"]])
        if row is None or row["status"] != "booked" or row["day"] != p["target"]:
            return False
    return True


def goal_says_for_which_shows(world, p):
    """Says for which shows the fittings were moved, none where it is refused."""
    if world.report.outcome is None:
        return False
    return world.report.says("shows", None if p["refused"] else [item["show"] for item in p["moved"]])


def guard_moves_only_these_fittings(world, p):
    """Changed nothing but the time of these fittings."""
    ids = [] if p["refused"] else [item["fitting"] for item in p["moved"]]
    for change in world.changes:
        before, after = change["before"], change["after"]
        if change["table"] != "fittings" or before is None or after is None or before["id"] not in ids:
            return False
        if {k for k in before if before[k] != after[k]} != {"starts_at"} or after["starts_at"][:10] != p["target"]:
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
