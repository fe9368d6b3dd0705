import datetime

PETS = (
    ("Bramble", "cat"), ("Kip", "dog"), ("Tansy", "cat"), ("Duffy", "dog"), ("Mabel", "cat"), ("Scout", "dog"), ("Juno", "cat"), ("Roy", "dog"),
    ("Treacle", "cat"), ("Bruno", "dog"), ("Willow", "cat"), ("Jed", "dog"), ("Saffy", "cat"), ("Mick", "dog"), ("Nutmeg", "cat"), ("Lad", "dog"),
)
STARTS = ("08:00", "08:30", "09:00", "07:45")
CASES = ("taken", "too_short", "just_fits", "free")


def instances(world, rng):
    """A pet, a vet and a stretch of days on which the vet's first slot is taken, too short or open; with and without a hold on the account."""
    top = world.one(
        "SELECT (SELECT MAX(id) FROM patients) AS patient, (SELECT MAX(id) FROM roster_shifts) AS shift, (SELECT MAX(id) FROM appointments) AS visit,"
        " (SELECT MAX(id) FROM invoices) AS invoice, (SELECT MAX(id) FROM invoice_lines) AS line")
    names = {r["name"] for r in world.query("SELECT name FROM patients WHERE client_id = 1")}
    offers = world.query(
        "SELECT x.vet_id, v.name AS vet, x.service_id, s.name AS service, s.base_minutes, x.price_cents FROM vet_services x"
        " JOIN vets v ON v.id = x.vet_id JOIN services s ON s.id = x.service_id"
        " WHERE v.practice = 'own' AND s.name IN ('Clinic consult', 'Vaccination and health check') ORDER BY x.vet_id, x.service_id")
    strangers = world.query(
        "SELECT q.id, q.client_id FROM patients q WHERE q.client_id <> 1 AND q.species IN ('dog', 'cat') ORDER BY q.id")
    consults = {r["vet_id"]: r for r in offers if r["service"] == "Clinic consult"}
    today = datetime.date.fromisoformat(world.clock[:10])
    pool = [x for x in PETS if x[0] not in names]
    for turn in range(240):
        offer = rng.choice(offers)
        name, species = rng.choice(pool)
        ids = dict(top)
        pet = ids["patient"] + 1
        rows = {
            "patients": [{"id": pet, "client_id": 1, "name": name, "kind": "animal", "species": species, "head_count": 1}],
            "roster_shifts": [], "appointments": [], "invoices": [], "invoice_lines": [],
        }
        first = today + datetime.timedelta(days=rng.randint(50, 110))
        last = first + datetime.timedelta(days=rng.randint(16, 24))
        days = [first + datetime.timedelta(days=n) for n in range((last - first).days + 1)]
        days = sorted(rng.sample([d for d in days if d.weekday() < 5], rng.randint(6, 9)))
        closed = rng.randint(2, 5)
        early = first - datetime.timedelta(days=rng.randint(1, 3))
        plan = [(early, "free")] + [(d, rng.choice(("taken", "too_short")) if n < closed else rng.choice(("just_fits", "free") if n == closed else CASES)) for n, d in enumerate(days)]
        for day, case in plan:
            ids["shift"] += 1
            start = datetime.datetime.fromisoformat(day.isoformat() + "T" + rng.choice(STARTS) + ":00")
            rows["roster_shifts"].append({
                "id": ids["shift"], "vet_id": offer["vet_id"], "kind": "day", "starts_at": start.isoformat(),
                "ends_at": day.isoformat() + "T17:00:00"})
            at = []
            if case == "taken":
                at.append(start)
            elif case == "too_short":
                at.append(start + datetime.timedelta(minutes=offer["base_minutes"] - rng.choice((5, 10))))
            elif case == "just_fits":
                at.append(start + datetime.timedelta(minutes=offer["base_minutes"]))
            if rng.random() < 0.5:
                at.append(start + datetime.timedelta(minutes=rng.choice((120, 180, 240))))
            consult = consults[offer["vet_id"]]
            guests = rng.sample(strangers, len(at))
            for moment, guest in zip(at, guests):
                ids["visit"] += 1
                rows["appointments"].append({
                    "id": ids["visit"], "code": "APT-%05d" % (44000 + ids["visit"]), "client_id": guest["client_id"], "patient_id": guest["id"],
                    "vet_id": offer["vet_id"], "service_id": consult["service_id"], "estimate_id": None, "follows_appointment_id": None, "head_count": 1,
                    "starts_at": moment.isoformat(), "ends_at": (moment + datetime.timedelta(minutes=consult["base_minutes"])).isoformat(),
                    "price_cents": consult["price_cents"], "travel_cents": 0, "shares_travel": 0, "deposit_cents": 0, "deposit_status": "none",
                    "status": "booked", "booked_at": (today - datetime.timedelta(days=rng.randint(1, 9))).isoformat() + "T09:15:00", "cancelled_at": None})
        hold = rng.random() < 0.3
        due = today - datetime.timedelta(days=rng.randint(1, 20)) if hold else today + datetime.timedelta(days=rng.randint(0, 12))
        issued = min(due - datetime.timedelta(days=14), today - datetime.timedelta(days=2))
        rows["invoices"].append({
            "id": ids["invoice"] + 1, "code": "INV-%05d" % (44000 + ids["invoice"] + 1), "client_id": 1, "practice": "own", "issued_on": issued.isoformat(),
            "due_on": due.isoformat(), "status": "open"})
        rows["invoice_lines"].append({
            "id": ids["line"] + 1, "invoice_id": ids["invoice"] + 1, "patient_id": pet, "appointment_id": None, "medicine_order_id": None, "kind": "goods",
            "description": "Prescription diet, 4 kg", "provided_on": issued.isoformat(), "amount_cents": rng.randrange(5900, 24000, 50)})
        case = {
            "p": {
                "pet": name, "vet": offer["vet"], "service": offer["service"].lower(), "first": first.isoformat(), "last": last.isoformat(),
                "vet_id": offer["vet_id"], "service_id": offer["service_id"], "hold": hold,
            },
            "given": rows,
        }
        if hold:
            case["kind"] = "refusal"
            case["rule"] = "hold_emergency_only"
        yield case


def solve(tools, p):
    account = tools.get_account()["account"]
    pet = next(q for q in tools.search_patients(name=p["pet"])["patients"] if q["name"] == p["pet"])
    service = next(s for s in tools.search_services(name=p["service"])["services"] if s["name"].lower() == p["service"])
    offer = next(o for o in tools.list_vet_prices(service_id=service["id"])["prices"] if o["vet_name"] == p["vet"])
    length = datetime.timedelta(minutes=service["base_minutes"] + service["minutes_per_head"])
    shifts = tools.list_roster_shifts(first_day=p["first"], last_day=p["last"], vet_id=offer["vet_id"], kind="day")["roster_shifts"]
    visit = None
    for shift in shifts:
        start = datetime.datetime.fromisoformat(shift["starts_at"])
        diary = tools.list_vet_diary(vet_id=offer["vet_id"], day=shift["starts_at"][:10])["diary"]
        if any(
            datetime.datetime.fromisoformat(a["starts_at"]) < start + length and datetime.datetime.fromisoformat(a["ends_at"]) > start for a in diary
        ):
            continue
        try:
            visit = tools.book_appointment(patient_id=pet["id"], service_id=service["id"], vet_id=offer["vet_id"], starts_at=shift["starts_at"])["appointment"]
        except tools.Error:
            if not account["on_hold"]:
                raise
            return {
                "outcome": "refused",
                "answers": {"day": None, "start": None, "price": None},
                "reason": "hold_emergency_only",
                "message": "I can't book that: more than $500 is overdue on your account, and until it is down only emergency visits can be booked.",
            }
        break
    return {
        "outcome": "done",
        "answers": {"day": visit["starts_at"][:10], "start": visit["starts_at"][11:16], "price": visit["price_cents"]},
        "reason": None,
        "message": f"{p['pet']} is first in with {p['vet']} on {visit['starts_at'][:10]} at {visit['starts_at'][11:16]}; it costs ${visit['price_cents'] / 100:.2f}.",
    }


def _offer(world, p):
    return world.initial.one(
        "SELECT s.base_minutes + s.minutes_per_head AS minutes, x.price_cents FROM vet_services x JOIN services s ON s.id = x.service_id"
        " WHERE x.vet_id = ? AND x.service_id = ?", [p["vet_id"], p["service_id"]])


def _slot(world, p):
    """Start and end of the first open slot of the vet's day."""
    length = datetime.timedelta(minutes=_offer(world, p)["minutes"])
    shifts = world.initial.query(
        "SELECT starts_at, ends_at FROM roster_shifts WHERE vet_id = ? AND kind = 'day' AND substr(starts_at, 1, 10) >= ? AND substr(starts_at, 1, 10) <= ?"
        " ORDER BY starts_at", [p["vet_id"], p["first"], p["last"]])
    for shift in shifts:
        end = (datetime.datetime.fromisoformat(shift["starts_at"]) + length).isoformat()
        busy = world.initial.one(
            "SELECT COUNT(*) AS n FROM appointments WHERE vet_id = ? AND status <> 'cancelled' AND starts_at < ? AND ends_at > ?",
            [p["vet_id"], end, shift["starts_at"]])
        if busy["n"] == 0 and end <= shift["ends_at"]:
            return shift["starts_at"], end
    return None, None


def _is_visit(world, p, row):
    start, end = _slot(world, p)
    pet = world.initial.one("SELECT id FROM patients WHERE client_id = 1 AND name = ? AND kind = 'animal'", [p["pet"]])
    return (
        row["client_id"] == 1
        and row["patient_id"] == pet["id"]
        and row["vet_id"] == p["vet_id"]
        and row["service_id"] == p["service_id"]
        and row["estimate_id"] is None
        and row["follows_appointment_id"] is None
        and row["head_count"] == 1
        and row["starts_at"] == start
        and row["ends_at"] == end
        and row["price_cents"] == _offer(world, p)["price_cents"]
        and row["travel_cents"] == 0
        and row["shares_travel"] == 0
        and row["deposit_cents"] == 0
        and row["deposit_status"] == "none"
        and row["status"] == "booked"
        and row["cancelled_at"] is None
    )


def goal_is_booked_or_refused(world, p):
    """The first open slot of the vet's day is booked once; or, with the account on hold, that is reported."""
    if p["hold"]:
        return world.report.outcome == "refused" and world.report.reason == "hold_emergency_only"
    rows = [c["after"] for c in world.changes if c["table"] == "appointments" and c["before"] is None]
    return len(rows) == 1 and _is_visit(world, p, rows[0])


def goal_says_the_day(world, p):
    """Says which day it is, or nothing where it is refused."""
    return world.report.says("day", None if p["hold"] else _slot(world, p)[0][:10])


def goal_says_the_time(world, p):
    """Says when it starts, or nothing where it is refused."""
    return world.report.says("start", None if p["hold"] else _slot(world, p)[0][11:16])


def goal_says_the_price(world, p):
    """Says what it costs, or nothing where it is refused."""
    return world.report.says("price", None if p["hold"] else _offer(world, p)["price_cents"])


def guard_changes_nothing_else(world, p):
    """Changed nothing but one new visit, and nothing at all where it is refused."""
    if p["hold"]:
        return len(world.changes) == 0
    return len(world.changes) <= 1 and all(
        c["table"] == "appointments" and c["before"] is None and c["after"] is not None and _is_visit(world, p, c["after"]) for c in world.changes
    )


def guard_reports_the_right_outcome(world, p):
    """Reports that it is done, or refused where the account is on hold."""
    return world.report.outcome in (None, "refused" if p["hold"] else "done")


def guard_names_the_right_reason(world, p):
    """Names the rule where it is refused, and none otherwise."""
    return world.report.outcome is None or world.report.reason == ("hold_emergency_only" if p["hold"] else None)
