import datetime

MOBS = (
    "Spring calves", "Autumn heifers", "Gorse block calves", "First-calvers", "Beef-cross calves", "Carry-over cows", "Back road heifers", "Island calves",
    "Jersey heifers", "Late calves", "Tarn heifers", "Cutover cows", "Shelter belt calves", "Clay flat heifers", "North end cows", "Stony creek calves",
)
CASES = ("no_share", "next_too_soon", "too_late", "elsewhere")


def instances(world, rng):
    """A mob, a vet and a neighbour whose place the vet calls at on several days, with and without sharing travel, with and without room after it."""
    top = world.one(
        "SELECT (SELECT MAX(id) FROM patients) AS patient, (SELECT MAX(id) FROM roster_shifts) AS shift, (SELECT MAX(id) FROM appointments) AS visit,"
        " (SELECT MAX(id) FROM invoices) AS invoice, (SELECT MAX(id) FROM invoice_lines) AS line")
    names = {r["name"] for r in world.query("SELECT name FROM patients WHERE client_id = 1 AND species = 'cattle'")}
    offers = world.query(
        "SELECT x.vet_id, v.name AS vet, x.service_id, s.name AS service, s.base_minutes, s.minutes_per_head, x.price_cents FROM vet_services x"
        " JOIN vets v ON v.id = x.vet_id JOIN services s ON s.id = x.service_id"
        " WHERE v.practice = 'own' AND s.name IN ('Calf disbudding', 'Pregnancy testing', 'Metricheck') ORDER BY x.vet_id, x.service_id")
    calls = {r["vet_id"]: r for r in world.query(
        "SELECT x.vet_id, x.service_id, s.base_minutes, x.price_cents FROM vet_services x JOIN services s ON s.id = x.service_id WHERE s.name = 'Farm health call' ORDER BY x.vet_id")}
    farms = world.query(
        "SELECT c.id, c.property_name, c.travel_cents, (SELECT q.id FROM patients q WHERE q.client_id = c.id ORDER BY q.id LIMIT 1) AS patient"
        " FROM clients c WHERE c.id <> 1 AND c.property_name IS NOT NULL ORDER BY c.id")
    today = datetime.date.fromisoformat(world.clock[:10])
    pool = [m for m in MOBS if m not in names]
    for _ in range(240):
        offer = rng.choice([o for o in offers if o["vet_id"] in calls])
        call = calls[offer["vet_id"]]
        home, away = rng.sample(farms, 2)
        ids = dict(top)
        mob = ids["patient"] + 1
        size = rng.randint(14, 48)
        heads = rng.randint(10, size)
        name = rng.choice(pool)
        rows = {
            "patients": [{"id": mob, "client_id": 1, "name": name, "kind": "mob", "species": "cattle", "head_count": size}],
            "roster_shifts": [], "appointments": [], "invoices": [], "invoice_lines": [],
        }
        length = datetime.timedelta(minutes=offer["base_minutes"] + offer["minutes_per_head"] * heads)
        first = today + datetime.timedelta(days=rng.randint(50, 105))
        last = first + datetime.timedelta(days=rng.randint(14, 22))
        days = [first + datetime.timedelta(days=n) for n in range((last - first).days + 1)]
        days = sorted(rng.sample([d for d in days if d.weekday() < 5], rng.randint(6, 9)))
        good = rng.randint(2, len(days) - 2)
        latest = rng.choice(("12:30", "13:00", "13:30", "14:00"))

        def visit(farm, start, minutes, shares):
            ids["visit"] += 1
            rows["appointments"].append({
                "id": ids["visit"], "code": "APT-%05d" % (46500 + ids["visit"]), "client_id": farm["id"], "patient_id": farm["patient"], "vet_id": offer["vet_id"],
                "service_id": call["service_id"], "estimate_id": None, "follows_appointment_id": None, "head_count": 1, "starts_at": start.isoformat(),
                "ends_at": (start + datetime.timedelta(minutes=minutes)).isoformat(), "price_cents": call["price_cents"], "travel_cents": farm["travel_cents"],
                "shares_travel": shares, "deposit_cents": 0, "deposit_status": "none", "status": "booked",
                "booked_at": (today - datetime.timedelta(days=rng.randint(1, 12))).isoformat() + "T10:%02d:00" % rng.randint(0, 59), "cancelled_at": None})

        fine = True
        for n, day in enumerate(days):
            case = "good" if n == good else rng.choice(CASES) if n < good else rng.choice(CASES + ("good",))
            ids["shift"] += 1
            rows["roster_shifts"].append({
                "id": ids["shift"], "vet_id": offer["vet_id"], "kind": "day", "starts_at": day.isoformat() + "T07:30:00", "ends_at": day.isoformat() + "T18:00:00"})
            limit = datetime.datetime.fromisoformat(day.isoformat() + "T" + latest + ":00")
            free = limit - length - datetime.timedelta(minutes=call["base_minutes"])
            start = free if rng.random() < 0.4 else free - datetime.timedelta(minutes=rng.choice((15, 30, 45)))
            if case == "too_late":
                start = free + datetime.timedelta(minutes=rng.choice((1, 15, 30)))
            if start.isoformat() < day.isoformat() + "T07:30:00":
                fine = False
                break
            end = start + datetime.timedelta(minutes=call["base_minutes"])
            visit(away if case == "elsewhere" else home, start, call["base_minutes"], 0 if case == "no_share" else 1)
            if case == "next_too_soon":
                visit(away, end + length - datetime.timedelta(minutes=rng.choice((5, 15))), call["base_minutes"], 0)
            elif rng.random() < 0.5:
                visit(away, end + length + datetime.timedelta(minutes=rng.choice((0, 10, 60))), call["base_minutes"], 0)
        if not fine or any(a["ends_at"] > a["starts_at"][:10] + "T18:00:00" for a in rows["appointments"]):
            continue
        hold = rng.random() < 0.25
        due = today - datetime.timedelta(days=rng.randint(1, 18)) if hold else today + datetime.timedelta(days=rng.randint(0, 10))
        issued = min(due - datetime.timedelta(days=14), today - datetime.timedelta(days=4))
        rows["invoices"].append({
            "id": ids["invoice"] + 1, "code": "INV-%05d" % (46500 + ids["invoice"] + 1), "client_id": 1, "practice": "own", "issued_on": issued.isoformat(),
            "due_on": due.isoformat(), "status": "open"})
        rows["invoice_lines"].append({
            "id": ids["line"] + 1, "invoice_id": ids["invoice"] + 1, "patient_id": mob, "appointment_id": None, "medicine_order_id": None, "kind": "goods",
            "description": "Ear tags and an applicator", "provided_on": issued.isoformat(), "amount_cents": rng.randrange(7500, 26000, 50)})
        case = {
            "p": {
                "vet": offer["vet"], "farm": home["property_name"], "mob": name, "heads": heads, "service": offer["service"].lower(), "first": first.isoformat(),
                "last": last.isoformat(), "latest": latest, "vet_id": offer["vet_id"], "service_id": offer["service_id"], "neighbour": home["id"], "hold": hold,
            },
            "given": rows,
        }
        if hold:
            case["kind"] = "refusal"
            case["rule"] = "hold_emergency_only"
        yield case


def solve(tools, p):
    account = tools.get_account()["account"]
    mob = next(q for q in tools.search_patients(kind="mob")["patients"] if q["name"] == p["mob"])
    service = next(s for s in tools.search_services(name=p["service"])["services"] if s["name"].lower() == p["service"])
    offer = next(o for o in tools.list_vet_prices(service_id=service["id"])["prices"] if o["vet_name"] == p["vet"])
    length = datetime.timedelta(minutes=service["base_minutes"] + service["minutes_per_head"] * p["heads"])
    visit = None
    for shift in tools.list_roster_shifts(first_day=p["first"], last_day=p["last"], vet_id=offer["vet_id"], kind="day")["roster_shifts"]:
        day = shift["starts_at"][:10]
        diary = tools.list_vet_diary(vet_id=offer["vet_id"], day=day)["diary"]
        for call in diary:
            if call["property_name"] != p["farm"] or not call["shares_travel"]:
                continue
            start = datetime.datetime.fromisoformat(call["ends_at"])
            end = start + length
            if end.isoformat() > day + "T" + p["latest"] + ":00":
                continue
            if any(a["starts_at"] < end.isoformat() and a["ends_at"] > start.isoformat() for a in diary):
                continue
            try:
                visit = tools.book_appointment(
                    patient_id=mob["id"], service_id=service["id"], vet_id=offer["vet_id"], starts_at=call["ends_at"], head_count=p["heads"],
                    follows_appointment_id=call["appointment_id"],
                )["appointment"]
            except tools.Error:
                if not account["on_hold"]:
                    raise
                return {
                    "outcome": "refused",
                    "answers": {"day": None, "start": None, "cost": None},
                    "reason": "hold_emergency_only",
                    "message": "I can't book that: more than $500 is overdue on your account, and until it is down only emergency visits can be booked.",
                }
            break
        if visit is not None:
            break
    cost = visit["price_cents"] + visit["travel_cents"]
    return {
        "outcome": "done",
        "answers": {"day": visit["starts_at"][:10], "start": visit["starts_at"][11:16], "cost": cost},
        "reason": None,
        "message": f"{p['vet']} comes on to you on {visit['starts_at'][:10]} at {visit['starts_at'][11:16]}; with half the travel that is ${cost / 100:.2f}.",
    }


def _terms(world, p):
    return world.initial.one(
        "SELECT s.base_minutes + s.minutes_per_head * ? AS minutes, s.deposit_cents, x.price_cents * ? AS price, c.travel_cents / 2 AS travel"
        " FROM vet_services x JOIN services s ON s.id = x.service_id JOIN clients c ON c.id = 1 WHERE x.vet_id = ? AND x.service_id = ?",
        [p["heads"], p["heads"], p["vet_id"], p["service_id"]])


def _best(world, p):
    """The first call at the neighbour's that can be followed: its id, and start and end of the visit after it."""
    length = datetime.timedelta(minutes=_terms(world, p)["minutes"])
    calls = world.initial.query(
        "SELECT a.id, a.ends_at FROM appointments a WHERE a.vet_id = ? AND a.client_id = ? AND a.status = 'booked' AND a.shares_travel = 1"
        " AND substr(a.starts_at, 1, 10) >= ? AND substr(a.starts_at, 1, 10) <= ? ORDER BY a.starts_at", [p["vet_id"], p["neighbour"], p["first"], p["last"]])
    for call in calls:
        end = (datetime.datetime.fromisoformat(call["ends_at"]) + length).isoformat()
        busy = world.initial.one(
            "SELECT COUNT(*) AS n FROM appointments WHERE vet_id = ? AND status <> 'cancelled' AND starts_at < ? AND ends_at > ?", [p["vet_id"], end, call["ends_at"]])
        if busy["n"] == 0 and end <= call["ends_at"][:10] + "T" + p["latest"] + ":00":
            return call["id"], call["ends_at"], end
    return None, None, None


def _is_visit(world, p, row):
    call, start, end = _best(world, p)
    terms = _terms(world, p)
    mob = world.initial.one("SELECT id FROM patients WHERE client_id = 1 AND name = ? AND kind = 'mob'", [p["mob"]])
    return (
        row["client_id"] == 1
        and row["patient_id"] == mob["id"]
        and row["vet_id"] == p["vet_id"]
        and row["service_id"] == p["service_id"]
        and row["estimate_id"] is None
        and row["follows_appointment_id"] == call
        and row["head_count"] == p["heads"]
        and row["starts_at"] == start
        and row["ends_at"] == end
        and row["price_cents"] == terms["price"]
        and row["travel_cents"] == terms["travel"]
        and row["shares_travel"] == 0
        and row["deposit_cents"] == terms["deposit_cents"]
        and row["deposit_status"] == ("held" if terms["deposit_cents"] else "none")
        and row["status"] == "booked"
        and row["cancelled_at"] is None
    )


def _visits(world):
    return [c["after"] for c in world.changes if c["table"] == "appointments" and c["before"] is None]


def goal_is_booked_or_refused(world, p):
    """The visit straight after the first call that fits is booked; or, with the account on hold, that is reported."""
    if p["hold"]:
        return world.report.outcome == "refused" and world.report.reason == "hold_emergency_only"
    rows = _visits(world)
    return len(rows) == 1 and _is_visit(world, p, rows[0])


def goal_says_the_day(world, p):
    """Says which day it is, or nothing where it is refused."""
    return world.report.says("day", None if p["hold"] else _best(world, p)[1][:10])


def goal_says_the_time(world, p):
    """Says when it starts, or nothing where it is refused."""
    return world.report.says("start", None if p["hold"] else _best(world, p)[1][11:16])


def goal_says_the_cost(world, p):
    """Says what it costs with travel, or nothing where it is refused."""
    terms = _terms(world, p)
    return world.report.says("cost", None if p["hold"] else terms["price"] + terms["travel"])


def guard_changes_nothing_else(world, p):
    """Changed nothing but the one new visit with its deposit, and nothing at all where it is refused."""
    if p["hold"]:
        return len(world.changes) == 0
    visits = _visits(world)
    if len(visits) > 1 or not all(_is_visit(world, p, v) for v in visits):
        return False
    deposits = 0
    for c in world.changes:
        row = c["after"]
        if row is None or c["before"] is not None:
            return False
        if c["table"] == "payments":
            deposits += 1
            if not visits or row["client_id"] != 1 or row["kind"] != "deposit" or row["appointment_id"] != visits[0]["id"]:
                return False
            if row["amount_cents"] != _terms(world, p)["deposit_cents"] or row["invoice_id"] is not None or row["medicine_order_id"] is not None:
                return False
        elif c["table"] != "appointments":
            return False
    return deposits <= 1


def guard_reports_the_right_outcome(world, p):
    """Reports that it is done, or refused where the account is on hold."""
    return world.report.outcome in (None, "refused" if p["hold"] else "done")


def guard_names_the_right_reason(world, p):
    """Names the rule where it is refused, and none otherwise."""
    return world.report.outcome is None or world.report.reason == ("hold_emergency_only" if p["hold"] else None)
