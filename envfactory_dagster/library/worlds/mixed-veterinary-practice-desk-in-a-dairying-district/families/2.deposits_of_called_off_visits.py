import datetime

STOCK = (
    ("Orchard ewes", "sheep", "mob"), ("Racecourse heifers", "cattle", "mob"), ("Dam paddock cows", "cattle", "mob"), ("Halo", "horse", "animal"),
    ("Cottage lambs", "sheep", "mob"), ("Hilltop heifers", "cattle", "mob"), ("Duchess", "horse", "animal"), ("Kahu", "horse", "animal"),
    ("Willow flat cows", "cattle", "mob"), ("Old school wethers", "sheep", "mob"), ("Roimata", "horse", "animal"), ("Kiln paddock ewes", "sheep", "mob"),
    ("Ford heifers", "cattle", "mob"), ("Sunny side rams", "sheep", "mob"), ("Cricket", "horse", "animal"), ("Beech block cows", "cattle", "mob"),
)
NOTICES = ("two_days", "minute_short", "long", "short")


def instances(world, rng):
    """Several patients of the user with visits that were called off early enough and too late, deposits still held."""
    top = world.one("SELECT (SELECT MAX(id) FROM patients) AS patient, (SELECT MAX(id) FROM appointments) AS visit, (SELECT MAX(id) FROM payments) AS payment")
    names = {r["name"] for r in world.query("SELECT name FROM patients WHERE client_id = 1 AND species IN ('sheep', 'cattle', 'horse')")}
    offers = world.query(
        "SELECT x.vet_id, x.service_id, s.name AS service, s.price_basis, s.base_minutes, s.minutes_per_head, s.deposit_cents, x.price_cents"
        " FROM vet_services x JOIN services s ON s.id = x.service_id JOIN vets v ON v.id = x.vet_id"
        " WHERE v.practice = 'own' AND s.place = 'property' AND s.deposit_cents > 0 ORDER BY x.vet_id, x.service_id")
    travel = world.one("SELECT travel_cents FROM clients WHERE id = 1")["travel_cents"]
    now = datetime.datetime.fromisoformat(world.clock)
    pool = [s for s in STOCK if s[0] not in names]
    fits = {"sheep": ("Lifestyle block visit",), "cattle": ("Pregnancy testing", "Metricheck"), "horse": ("Mare pregnancy scan",)}
    for _ in range(240):
        chosen = rng.sample(pool, rng.randint(4, 6))
        ids = dict(top)
        rows = {"patients": [], "appointments": [], "payments": []}
        tally = {"due": 0, "lost": 0}
        for number, (name, species, kind) in enumerate(chosen):
            ids["patient"] += 1
            heads = 1 if kind == "animal" else rng.randint(8, 60)
            rows["patients"].append({"id": ids["patient"], "client_id": 1, "name": name, "kind": kind, "species": species, "head_count": heads})
            for visit in range(rng.randint(1, 2)):
                offer = rng.choice([o for o in offers if o["service"] in fits[species]])
                done = rng.random() < 0.2
                case = rng.choice(NOTICES)
                if number == 0 and visit == 0:
                    case, done = rng.choice(("two_days", "long")), False
                if number == 1 and visit == 0:
                    case, done = rng.choice(("minute_short", "short")), False
                if done:
                    case = "long"
                minutes = {"two_days": 2880, "minute_short": 2879, "long": rng.randint(3000, 14000), "short": rng.randint(40, 2500)}[case]
                cancelled = now - datetime.timedelta(days=rng.randint(2, 45), minutes=rng.randint(1, 300))
                cancelled = cancelled.replace(second=0)
                start = cancelled + datetime.timedelta(minutes=minutes)
                if case in ("long", "short"):
                    start = start.replace(minute=0) + datetime.timedelta(hours=1)
                    if case == "short" and start - cancelled >= datetime.timedelta(hours=48):
                        start = start - datetime.timedelta(hours=4)
                booked = cancelled - datetime.timedelta(days=rng.randint(3, 20))
                length = offer["base_minutes"] + offer["minutes_per_head"] * (heads if offer["price_basis"] == "head" else 0)
                ids["visit"] += 1
                rows["appointments"].append({
                    "id": ids["visit"], "code": "APT-%05d" % (45000 + ids["visit"]), "client_id": 1, "patient_id": ids["patient"], "vet_id": offer["vet_id"],
                    "service_id": offer["service_id"], "estimate_id": None, "follows_appointment_id": None, "head_count": heads,
                    "starts_at": start.isoformat(), "ends_at": (start + datetime.timedelta(minutes=length)).isoformat(),
                    "price_cents": offer["price_cents"] * (heads if offer["price_basis"] == "head" else 1), "travel_cents": travel, "shares_travel": 0,
                    "deposit_cents": offer["deposit_cents"], "deposit_status": "refunded" if done else "held", "status": "cancelled",
                    "booked_at": booked.isoformat(), "cancelled_at": cancelled.isoformat()})
                ids["payment"] += 1
                rows["payments"].append({
                    "id": ids["payment"], "client_id": 1, "invoice_id": None, "appointment_id": ids["visit"], "medicine_order_id": None, "kind": "deposit",
                    "amount_cents": offer["deposit_cents"], "paid_at": booked.isoformat()})
                if done:
                    ids["payment"] += 1
                    rows["payments"].append({
                        "id": ids["payment"], "client_id": 1, "invoice_id": None, "appointment_id": ids["visit"], "medicine_order_id": None,
                        "kind": "deposit_refund", "amount_cents": offer["deposit_cents"], "paid_at": (cancelled + datetime.timedelta(hours=20)).isoformat()})
                elif start - cancelled >= datetime.timedelta(hours=48):
                    tally["due"] += 1
                else:
                    tally["lost"] += 1
        asked = [c[0] for c in chosen]
        if len(asked) > 4 and rng.random() < 0.6:
            asked = asked[:-1]
        rng.shuffle(asked)
        yield {"p": {"stock": asked}, "given": rows}


def _is_due(visit):
    notice = datetime.datetime.fromisoformat(visit["starts_at"]) - datetime.datetime.fromisoformat(visit["cancelled_at"])
    return notice >= datetime.timedelta(hours=48)


def solve(tools, p):
    mine = {q["name"]: q["id"] for q in tools.search_patients()["patients"]}
    back = 0
    lost = 0
    for name in p["stock"]:
        for visit in tools.search_appointments(status="cancelled", patient_id=mine[name])["appointments"]:
            if visit["deposit_status"] != "held":
                continue
            if _is_due(visit):
                back += tools.refund_deposit(appointment_id=visit["id"])["payment"]["amount_cents"]
            else:
                lost += 1
    return {
        "outcome": "done",
        "answers": {"paid_back": back, "deposits_kept": lost},
        "reason": None,
        "message": f"${back / 100:.2f} in deposits is paid back; {lost} came off with less than 48 hours' notice and are not refunded.",
    }


def _held(world, p):
    rows = world.initial.query(
        "SELECT a.id, a.starts_at, a.cancelled_at, a.deposit_cents, q.name FROM appointments a JOIN patients q ON q.id = a.patient_id"
        " WHERE a.client_id = 1 AND q.client_id = 1 AND a.status = 'cancelled' AND a.deposit_status = 'held' ORDER BY a.id", [])
    return [r for r in rows if r["name"] in p["stock"]]


def _due(world, p):
    return {r["id"]: r["deposit_cents"] for r in _held(world, p) if _is_due(r)}


def _is_refund(row, due):
    return (
        row["client_id"] == 1
        and row["kind"] == "deposit_refund"
        and row["appointment_id"] in due
        and row["amount_cents"] == due[row["appointment_id"]]
        and row["invoice_id"] is None
        and row["medicine_order_id"] is None
    )


def goal_every_deposit_due_is_paid_back(world, p):
    """Every deposit that is due is paid back, once and in full."""
    due = _due(world, p)
    got = [c["after"]["appointment_id"] for c in world.changes if c["table"] == "payments" and c["before"] is None and _is_refund(c["after"], due)]
    states = [world.final.one("SELECT deposit_status FROM appointments WHERE id = ?", [i])["deposit_status"] for i in due]
    return sorted(got) == sorted(due) and all(s == "refunded" for s in states)


def goal_says_what_is_paid_back(world, p):
    """Says what is paid back altogether."""
    return world.report.says("paid_back", sum(_due(world, p).values()))


def goal_says_how_many_are_kept(world, p):
    """Says how many deposits are not paid back."""
    return world.report.says("deposits_kept", len(_held(world, p)) - len(_due(world, p)))


def guard_changes_only_what_is_due(world, p):
    """Changed nothing but the deposits that are due, each once."""
    due = _due(world, p)
    seen = []
    for c in world.changes:
        if c["after"] is None:
            return False
        if c["table"] == "payments" and c["before"] is None:
            if not _is_refund(c["after"], due) or c["after"]["appointment_id"] in seen:
                return False
            seen.append(c["after"]["appointment_id"])
        elif c["table"] == "appointments" and c["before"] is not None and c["before"]["id"] in due:
            if {k for k in c["after"] if c["before"][k] != c["after"][k]} != {"deposit_status"} or c["after"]["deposit_status"] != "refunded":
                return False
        else:
            return False
    return True


def guard_reports_it_as_done(world, p):
    """Reports that it is done, for no rule."""
    return world.report.outcome in (None, "done") and world.report.reason is None
