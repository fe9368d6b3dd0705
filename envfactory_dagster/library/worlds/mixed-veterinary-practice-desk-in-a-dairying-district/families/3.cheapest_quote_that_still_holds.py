import datetime

PETS = (
    ("Tilly", "dog"), ("Smudge", "cat"), ("Hector", "dog"), ("Misty", "cat"), ("Blue", "dog"), ("Jasper", "cat"), ("Roxy", "dog"), ("Tabitha", "cat"),
    ("Chester", "dog"), ("Leo", "cat"), ("Honey", "dog"), ("Shadow", "cat"), ("Murphy", "dog"), ("Cleo", "cat"), ("Ollie", "dog"), ("Phoebe", "cat"),
)
TIMES = ("09:00", "09:30", "10:00", "10:30", "11:00", "11:30", "13:00", "13:30", "14:00")


def instances(world, rng):
    """A pet with several estimates for the same work, some lapsed or declined, and a day on which both vets work; some accounts are on hold."""
    top = world.one(
        "SELECT (SELECT MAX(id) FROM patients) AS patient, (SELECT MAX(id) FROM estimates) AS estimate, (SELECT MAX(id) FROM roster_shifts) AS shift,"
        " (SELECT MAX(id) FROM invoices) AS invoice, (SELECT MAX(id) FROM invoice_lines) AS line")
    names = {r["name"] for r in world.query("SELECT q.name FROM patients q WHERE q.client_id = 1 AND q.head_count = 1")}
    works = world.query("SELECT id, name FROM services WHERE needs_estimate = 1 ORDER BY id")
    vets = [r["vet_id"] for r in world.query("SELECT DISTINCT x.vet_id FROM vet_services x JOIN services s ON s.id = x.service_id WHERE s.needs_estimate = 1 ORDER BY x.vet_id")]
    today = datetime.date.fromisoformat(world.clock[:10])
    pool = [x for x in PETS if x[0] not in names]
    for _ in range(240):
        name, species = rng.choice(pool)
        work = rng.choice(works)
        other = [w for w in works if w["id"] != work["id"]][0]
        ids = dict(top)
        pet = ids["patient"] + 1
        rows = {
            "patients": [{"id": pet, "client_id": 1, "name": name, "kind": "animal", "species": species, "head_count": 1}],
            "estimates": [], "roster_shifts": [], "invoices": [], "invoice_lines": [],
        }

        def quote(service, cents, state, until, sent):
            ids["estimate"] += 1
            rows["estimates"].append({
                "id": ids["estimate"], "code": "EST-%05d" % (41000 + ids["estimate"]), "client_id": 1, "patient_id": pet, "vet_id": rng.choice(vets),
                "service_id": service, "amount_cents": cents, "status": state,
                "sent_at": (today - datetime.timedelta(days=sent)).isoformat() + "T%02d:%02d:00" % (rng.randint(9, 16), rng.randint(0, 59)),
                "valid_until": (today + datetime.timedelta(days=until)).isoformat(), "accepted_at": None})

        base = rng.randrange(60000, 90000, 500)
        steps = rng.sample(range(1, 40), 6)
        steps.sort()
        amounts = [base + 1000 * s for s in steps]
        plan = [("sent", -rng.choice((1, 1, 5, 20))), ("sent", rng.choice((0, 3, 30)))]
        plan += [rng.choice((("sent", -1), ("sent", 0), ("sent", 25), ("sent", 60), ("declined", 30))) for _ in range(rng.randint(1, 3))]
        if rng.random() < 0.5:
            rng.shuffle(plan)
        for (state, until), cents in zip(plan, amounts):
            quote(work["id"], cents, state, until, rng.randint(25, 60))
        if rng.random() < 0.6:
            quote(other["id"], base - 2000, "sent", 30, rng.randint(3, 20))
        day = today + datetime.timedelta(days=rng.randint(45, 100))
        while day.weekday() > 4:
            day = day + datetime.timedelta(days=1)
        for vet in vets:
            ids["shift"] += 1
            rows["roster_shifts"].append({
                "id": ids["shift"], "vet_id": vet, "kind": "day", "starts_at": day.isoformat() + "T08:00:00", "ends_at": day.isoformat() + "T17:00:00"})
        hold = rng.random() < 0.25
        due = today - datetime.timedelta(days=rng.randint(1, 15)) if hold else today + datetime.timedelta(days=rng.randint(0, 9))
        issued = min(due - datetime.timedelta(days=14), today - datetime.timedelta(days=3))
        rows["invoices"].append({
            "id": ids["invoice"] + 1, "code": "INV-%05d" % (41000 + ids["invoice"] + 1), "client_id": 1, "practice": "own", "issued_on": issued.isoformat(),
            "due_on": due.isoformat(), "status": "open"})
        rows["invoice_lines"].append({
            "id": ids["line"] + 1, "invoice_id": ids["invoice"] + 1, "patient_id": pet, "appointment_id": None, "medicine_order_id": None, "kind": "procedure",
            "description": "Bloods before the anaesthetic", "provided_on": issued.isoformat(), "amount_cents": rng.randrange(8000, 22000, 50)})
        if not any(e["service_id"] == work["id"] and e["status"] == "sent" and e["valid_until"] >= today.isoformat() for e in rows["estimates"]):
            continue
        case = {
            "p": {
                "pet": name, "work": "dental" if "dental" in work["name"].lower() else "surgery", "day": day.isoformat(), "time": rng.choice(TIMES),
                "today": today.isoformat(), "hold": hold,
            },
            "given": rows,
        }
        if hold:
            case["kind"] = "refusal"
            case["rule"] = "hold_emergency_only"
        yield case


def solve(tools, p):
    if tools.get_account()["account"]["on_hold"]:
        return {
            "outcome": "refused",
            "answers": {"vet": None, "price": None},
            "reason": "hold_emergency_only",
            "message": "I can't book that and have left the quotes alone: more than $500 is overdue on your account, and until it is down only emergency visits can be booked.",
        }
    pet = next(q for q in tools.search_patients(name=p["pet"])["patients"] if q["name"] == p["pet"])
    quotes = [e for e in tools.search_estimates(patient_id=pet["id"], status="sent")["estimates"] if p["work"] in e["service_name"].lower()]
    taken = None
    for quote in sorted(quotes, key=lambda e: e["amount_cents"]):
        try:
            taken = tools.sign_estimate(estimate_id=quote["id"])["estimate"]
            break
        except tools.Error:
            continue
    for quote in quotes:
        if quote["id"] != taken["id"]:
            tools.decline_estimate(estimate_id=quote["id"])
    visit = tools.book_procedure(estimate_id=taken["id"], starts_at=f"{p['day']}T{p['time']}:00")["appointment"]
    return {
        "outcome": "done",
        "answers": {"vet": visit["vet_name"], "price": visit["price_cents"]},
        "reason": None,
        "message": f"{p['pet']} is booked with {visit['vet_name']} on {p['day']} at {p['time']} for ${visit['price_cents'] / 100:.2f}; the other quotes are declined.",
    }


def _quotes(world, p):
    """The quotes for this work that are still open, cheapest first."""
    return world.initial.query(
        "SELECT e.id, e.patient_id, e.vet_id, e.service_id, e.amount_cents, e.valid_until, v.name AS vet, s.base_minutes, s.deposit_cents FROM estimates e"
        " JOIN patients q ON q.id = e.patient_id JOIN services s ON s.id = e.service_id JOIN vets v ON v.id = e.vet_id"
        " WHERE e.client_id = 1 AND q.client_id = 1 AND q.name = ? AND e.status = 'sent' AND instr(lower(s.name), ?) > 0 ORDER BY e.amount_cents, e.id",
        [p["pet"], p["work"]])


def _best(world, p):
    return [e for e in _quotes(world, p) if e["valid_until"] >= p["today"]][0]


def _is_visit(world, p, row):
    best = _best(world, p)
    start = p["day"] + "T" + p["time"] + ":00"
    end = (datetime.datetime.fromisoformat(start) + datetime.timedelta(minutes=best["base_minutes"])).isoformat()
    return (
        row["client_id"] == 1
        and row["patient_id"] == best["patient_id"]
        and row["vet_id"] == best["vet_id"]
        and row["service_id"] == best["service_id"]
        and row["estimate_id"] == best["id"]
        and row["follows_appointment_id"] is None
        and row["head_count"] == 1
        and row["starts_at"] == start
        and row["ends_at"] == end
        and row["price_cents"] == best["amount_cents"]
        and row["travel_cents"] == 0
        and row["shares_travel"] == 0
        and row["deposit_cents"] == best["deposit_cents"]
        and row["deposit_status"] == ("held" if best["deposit_cents"] else "none")
        and row["status"] == "booked"
        and row["cancelled_at"] is None
    )


def _visits(world):
    return [c["after"] for c in world.changes if c["table"] == "appointments" and c["before"] is None]


def goal_is_booked_or_refused(world, p):
    """The cheapest quote that has not lapsed is booked; or, with the account on hold, that is reported."""
    if p["hold"]:
        return world.report.outcome == "refused" and world.report.reason == "hold_emergency_only"
    rows = _visits(world)
    return len(rows) == 1 and _is_visit(world, p, rows[0])


def goal_quotes_are_settled(world, p):
    """That quote is accepted and the other open ones are declined; with the account on hold the refusal says so and none is touched."""
    if p["hold"]:
        return world.report.outcome == "refused" and len(world.changes) == 0
    best = _best(world, p)
    for quote in _quotes(world, p):
        row = world.final.one("SELECT status FROM estimates WHERE id = ?", [quote["id"]])
        if row["status"] != ("accepted" if quote["id"] == best["id"] else "declined"):
            return False
    return True


def goal_says_the_vet(world, p):
    """Says which vet it is, or nothing where it is refused."""
    return world.report.says("vet", None if p["hold"] else _best(world, p)["vet"])


def goal_says_the_price(world, p):
    """Says what it costs, or nothing where it is refused."""
    return world.report.says("price", None if p["hold"] else _best(world, p)["amount_cents"])


def guard_changes_nothing_else(world, p):
    """Changed nothing but those quotes and the one new visit with its deposit, and nothing at all where it is refused."""
    if p["hold"]:
        return len(world.changes) == 0
    best = _best(world, p)
    others = [e["id"] for e in _quotes(world, p) if e["id"] != best["id"]]
    visits = _visits(world)
    if len(visits) > 1 or not all(_is_visit(world, p, v) for v in visits):
        return False
    deposits = 0
    for c in world.changes:
        row = c["after"]
        if row is None:
            return False
        if c["table"] == "estimates" and c["before"] is not None:
            columns = {k for k in row if c["before"][k] != row[k]}
            if row["id"] == best["id"]:
                if columns - {"status", "accepted_at"} or row["status"] != "accepted":
                    return False
            elif row["id"] not in others or columns != {"status"} or row["status"] != "declined":
                return False
        elif c["table"] == "payments" and c["before"] is None:
            deposits += 1
            if not visits or row["client_id"] != 1 or row["kind"] != "deposit" or row["appointment_id"] != visits[0]["id"]:
                return False
            if row["amount_cents"] != best["deposit_cents"] or row["invoice_id"] is not None or row["medicine_order_id"] is not None:
                return False
        elif c["table"] != "appointments" or c["before"] is not None:
            return False
    return deposits <= 1


def guard_reports_the_right_outcome(world, p):
    """Reports that it is done, or refused where the account is on hold."""
    return world.report.outcome in (None, "refused" if p["hold"] else "done")


def guard_names_the_right_reason(world, p):
    """Names the rule where it is refused, and none otherwise."""
    return world.report.outcome is None or world.report.reason == ("hold_emergency_only" if p["hold"] else None)
