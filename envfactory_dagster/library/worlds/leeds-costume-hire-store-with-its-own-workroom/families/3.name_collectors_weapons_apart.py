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
HARMLESS = (
    ("Feathered cap with badge", "hat"), ("Brocade slippers", "footwear"), ("Powdered wig with queue", "other"), ("Shepherd's hooked staff", "cane"),
    ("Ostrich feather boa", "other"), ("Long kid gloves", "gloves"), ("Tasselled nightcap", "hat"), ("Pilgrim's broad hat", "hat"),
    ("Bamboo cane with knob", "cane"), ("Satin dancing shoes", "footwear"), ("Lawyer's document case", "other"), ("Fur muff", "gloves"),
)
WEAPONS = ("Duelling pistol, non-firing", "Basket-hilted sword", "Halberd with red tassel", "Stage dagger, retractable", "Musket, wooden", "Cavalry sabre")


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
    """Hires of a customer the user signs for, some with a weapon among the things, and two people to collect them."""
    today = world.clock[:10]
    off = {r["day"] for r in world.query("SELECT day, 'f10' AS f FROM bank_holidays ORDER BY day", [])}
    top = world.one(
        "SELECT 'f10' AS f, (SELECT max(id) FROM hires) AS hire, (SELECT max(id) FROM hire_lines) AS line,"
        " (SELECT max(id) FROM accessories) AS accessory, (SELECT max(id) FROM people) AS person, (SELECT max(id) FROM person_roles) AS role,"
        " (SELECT max(id) FROM invoices) AS invoice, (SELECT max(id) FROM invoice_lines) AS invoice_line,"
        " (SELECT max(id) FROM payments) AS payment, (SELECT max(id) FROM deposits) AS deposit",
        [],
    )
    titles = {r["show_title"] for r in world.query("SELECT DISTINCT show_title, 'f10' AS f FROM hires ORDER BY show_title", [])}
    names = {r["full_name"] for r in world.query("SELECT full_name, 'f10' AS f FROM people ORDER BY id", [])}
    signers = world.query(
        "SELECT c.id, c.name, c.kind, r.person_id, u.full_name, 'f10' AS f FROM customers c JOIN person_roles r ON r.customer_id = c.id"
        " JOIN people u ON u.id = r.person_id LEFT JOIN committee_letters k ON k.id = r.committee_letter_id WHERE r.role = 'signatory'"
        " AND (c.kind <> 'society' OR (k.received_on <= ? AND k.expires_on >= ?)) ORDER BY c.id, r.id",
        [today, today],
    )
    mine = sorted({s["id"] for s in signers if s["person_id"] == 1})
    if not mine:
        return
    for _ in range(6000):
        customer_id = rng.choice(mine)
        here = [s for s in signers if s["id"] == customer_id]
        signer = rng.choice(here)
        count = rng.randint(4, 6)
        armed = rng.randint(1, 2)
        shows = rng.sample([s for s in SHOWS if s not in titles], count)
        name, born = rng.choice([n for n in NAMES if n[0] not in names])
        harmless = rng.sample(HARMLESS, 2 * count)
        weapons = rng.sample(WEAPONS, armed)
        numbers = rng.sample(range(20000, 30000), 2 * count)
        rate = 85 if here[0]["kind"] == "school" else 100
        fee = (400 * rate + 50) // 100
        person = top["person"] + 1
        given = {
            "people": [{"id": person, "full_name": name, "birth_date": born}],
            "person_roles": [{"id": top["role"] + 1, "customer_id": customer_id, "person_id": person, "role": "collector"}],
            "accessories": [], "hires": [], "hire_lines": [], "invoices": [], "invoice_lines": [], "payments": [], "deposits": [],
        }
        made = []
        order = list(range(count))
        rng.shuffle(order)
        for n in range(count):
            collection = _add(off, today, rng.randint(12, 70))
            due = _add(off, collection, 5)
            hire = top["hire"] + 1 + n
            confirmed = rng.random() < 0.6
            held = _add(off, today, -rng.randint(8, 14)) if confirmed else _add(off, today, -rng.randint(1, 4))
            row = {
                "id": hire, "hire_number": "H-%05d" % numbers[n], "customer_id": customer_id, "show_title": shows[n],
                "collection_date": collection, "due_date": due, "status": "confirmed" if confirmed else "held",
                "held_at": held + "T10:05:00", "hold_lapses_at": _add(off, held, 5) + "T16:00:00",
            }
            things = [harmless.pop(), harmless.pop()]
            if order[n] < armed:
                things[1] = (weapons.pop(), "weapon")
                rng.shuffle(things)
            if confirmed:
                day = _add(off, held, 2)
                row = dict(row, confirmed_at=day + "T11:05:00", confirmed_by_person_id=1)
                invoice = top["invoice"] + 1 + len(given["invoices"])
                part = (2 * fee * 30 + 50) // 100
                given["invoices"].append({
                    "id": invoice, "invoice_number": "INV-%05d" % numbers[count + n], "hire_id": hire, "kind": "confirmation",
                    "issued_on": day, "due_on": _add(off, day, 5), "status": "paid",
                })
                given["invoice_lines"].append({
                    "id": top["invoice_line"] + 1 + len(given["invoice_lines"]), "invoice_id": invoice,
                    "description": "30% of the hire fee for " + shows[n], "amount_cents": part,
                })
                given["payments"].append({
                    "id": top["payment"] + 1 + len(given["payments"]), "invoice_id": invoice, "kind": "payment", "amount_cents": part,
                    "paid_at": day + "T15:10:00",
                })
                given["deposits"].append({
                    "id": top["deposit"] + 1 + len(given["deposits"]), "hire_id": hire, "amount_cents": 5000, "status": "held",
                    "paid_at": day + "T15:12:00",
                })
            given["hires"].append(row)
            for thing, kind in things:
                accessory = top["accessory"] + 1 + len(given["accessories"])
                given["accessories"].append({"id": accessory, "description": thing, "kind": kind})
                given["hire_lines"].append({
                    "id": top["line"] + 1 + len(given["hire_lines"]), "hire_id": hire, "accessory_id": accessory, "fee_cents": fee,
                    "status": "active",
                })
            made.append((collection, order[n] < armed))
        for table in ("invoices", "invoice_lines", "payments", "deposits"):
            if not given[table]:
                del given[table]
        days = sorted(m[0] for m in made)
        first = (datetime.date.fromisoformat(days[0]) - datetime.timedelta(days=rng.randint(0, 3))).isoformat()
        last = (datetime.date.fromisoformat(rng.choice(days[-2:])) + datetime.timedelta(days=rng.randint(0, 2))).isoformat()
        inside = [is_armed for day, is_armed in made if first <= day <= last]
        if len(inside) < 3 or not any(inside) or all(inside):
            continue
        yield {
            "p": {
                "customer": here[0]["name"], "collector": name, "signer": signer["full_name"], "first": first, "last": last,
                "id": customer_id, "collector_id": person, "signer_id": signer["person_id"], "now": world.clock,
            },
            "given": given,
        }


def solve(tools, p):
    customer = _customer(tools, p["customer"])
    people = {q["full_name"]: q["person_id"] for q in tools.list_customer_people(customer_id=customer["id"])["people"]}
    armed = []
    count = 0
    for status in ("held", "confirmed"):
        found = tools.list_hires(customer_id=customer["id"], status=status, first_day=p["first"], last_day=p["last"])["hires"]
        for hire in found:
            shown = tools.get_hire(hire_id=hire["id"])
            has_weapon = any(l["status"] == "active" and l["kind"] == "weapon" for l in shown["hire_lines"])
            if has_weapon:
                armed.append(shown["show_title"])
            who = people[p["signer"] if has_weapon else p["collector"]]
            if shown["collector_person_id"] != who:
                tools.name_collector(hire_id=hire["id"], person_id=who)
            count += 1
    return {
        "outcome": "done",
        "answers": {"armed_shows": armed, "hires": count},
        "reason": None,
        "message": f"That is {count} hires. {p['signer']} collects those with a weapon, {', '.join(armed)}, and {p['collector']} the others.",
    }


def _hires(world, p):
    return world.initial.query(
        "SELECT h.id, h.show_title, h.collector_person_id, EXISTS (SELECT 1 FROM hire_lines l JOIN accessories a ON a.id = l.accessory_id"
        " WHERE l.hire_id = h.id AND l.status = 'active' AND a.kind = 'weapon') AS armed FROM hires h WHERE h.customer_id = ?"
        " AND h.collection_date >= ? AND h.collection_date <= ? AND (h.status = 'confirmed' OR (h.status = 'held' AND h.hold_lapses_at > ?))"
        " ORDER BY h.id",
        [p["id"], p["first"], p["last"], p["now"]],
    )


def goal_names_the_right_collectors(world, p):
    """Every one of these hires has the right collector, the signatory where there is a weapon on it."""
    for hire in _hires(world, p):
        row = world.final.one("SELECT w.collector_person_id FROM hires w WHERE w.id = ?", [hire["id"]])
        if row["collector_person_id"] != (p["signer_id"] if hire["armed"] else p["collector_id"]):
            return False
    return True


def goal_says_which_have_a_weapon(world, p):
    """Says which of these shows have a weapon among their things."""
    return world.report.says("armed_shows", [h["show_title"] for h in _hires(world, p) if h["armed"]])


def goal_says_how_many_hires(world, p):
    """Says how many hires it is altogether."""
    return world.report.says("hires", len(_hires(world, p)))


def guard_changes_only_the_collectors(world, p):
    """Changed nothing but the collectors of these hires."""
    wanted = {h["id"]: p["signer_id"] if h["armed"] else p["collector_id"] for h in _hires(world, p)}
    for change in world.changes:
        before, after = change["before"], change["after"]
        if change["table"] != "hires" or before is None or after is None or before["id"] not in wanted:
            return False
        if {k for k in before if before[k] != after[k]} != {"collector_person_id"} or after["collector_person_id"] != wanted[before["id"]]:
            return False
    return True


def guard_reports_it_as_done(world, p):
    """Reports that it is done, with no rule as the reason."""
    return world.report.outcome in (None, "done") and world.report.reason is None
