import datetime

STOCK = (
    ("Pania", "horse", "animal"), ("Wether lambs", "sheep", "mob"), ("Gus", "dog", "animal"), ("Town belt steers", "cattle", "mob"), ("Marlow", "cat", "animal"),
    ("Kowhai", "horse", "animal"), ("Hogget ewes", "sheep", "mob"), ("Tess", "dog", "animal"), ("Mission bulls", "cattle", "mob"), ("Inky", "cat", "animal"),
    ("Arrow", "horse", "animal"), ("Top shed ewes", "sheep", "mob"), ("Joss", "dog", "animal"), ("Pond heifers", "cattle", "mob"), ("Merlin", "cat", "animal"),
)
CASES = ("open", "ends_just_then", "no_shift", "shift_too_short", "taken", "right_after")


def instances(world, rng):
    """Several booked visits of the user in a stretch of days; some weeks later the same vets are free then, or not."""
    top = world.one("SELECT (SELECT MAX(id) FROM patients) AS patient, (SELECT MAX(id) FROM appointments) AS visit, (SELECT MAX(id) FROM roster_shifts) AS shift")
    names = {r["name"] for r in world.query("SELECT q.name FROM patients q WHERE q.client_id = 1 AND q.name IS NOT NULL")}
    offers = world.query(
        "SELECT x.vet_id, x.service_id, s.name AS service, s.place, s.base_minutes, x.price_cents FROM vet_services x JOIN services s ON s.id = x.service_id"
        " JOIN vets v ON v.id = x.vet_id WHERE v.practice = 'own' AND s.deposit_cents = 0 AND s.needs_estimate = 0 AND s.is_emergency = 0"
        " AND s.price_basis = 'visit' ORDER BY x.vet_id, x.service_id")
    strangers = world.query("SELECT q.id, q.client_id FROM patients q WHERE q.client_id <> 1 AND q.kind = 'animal' AND q.species IN ('dog', 'cat') ORDER BY q.id DESC")
    consult = {r["vet_id"]: r for r in offers if r["service"] == "Clinic consult"}
    travel = world.one("SELECT travel_cents AS cents FROM clients WHERE id = 1")["cents"]
    today = datetime.date.fromisoformat(world.clock[:10])
    fits = {
        "dog": ("Clinic consult", "Vaccination and health check"), "cat": ("Clinic consult", "Vaccination and health check"),
        "horse": ("Equine dental with sedation", "Equine dental without sedation"), "sheep": ("Farm health call",), "cattle": ("Farm health call", "Farm medicines consult"),
    }
    pool = [s for s in STOCK if s[0] not in names]
    for _ in range(240):
        weeks = rng.randint(2, 4)
        first = today + datetime.timedelta(days=rng.randint(46, 90))
        last = first + datetime.timedelta(days=rng.randint(6, 11))
        days = [d for d in [first + datetime.timedelta(days=n) for n in range((last - first).days + 1)] if d.weekday() < 5]
        cases = [rng.choice(("open", "ends_just_then", "right_after")), rng.choice(("no_shift", "shift_too_short", "taken"))]
        cases += [rng.choice(CASES) for _ in range(rng.randint(3, 5))]
        rng.shuffle(cases)
        chosen = rng.sample(pool, len(cases) + 1)
        outside = first - datetime.timedelta(days=1) if rng.random() < 0.5 else last + datetime.timedelta(days=1)
        places = [(d, v) for d in days for v in (1, 2, 3, 4)]
        rng.shuffle(places)
        ids = dict(top)
        rows = {"patients": [], "roster_shifts": [], "appointments": []}

        def shift(vet, start, end):
            ids["shift"] += 1
            rows["roster_shifts"].append({"id": ids["shift"], "vet_id": vet, "kind": "day", "starts_at": start.isoformat(), "ends_at": end.isoformat()})

        def book(client, patient, offer, start, heads):
            ids["visit"] += 1
            rows["appointments"].append({
                "id": ids["visit"], "code": "APT-%05d" % (48000 + ids["visit"]), "client_id": client, "patient_id": patient, "vet_id": offer["vet_id"],
                "service_id": offer["service_id"], "estimate_id": None, "follows_appointment_id": None, "head_count": heads, "starts_at": start.isoformat(),
                "ends_at": (start + datetime.timedelta(minutes=offer["base_minutes"])).isoformat(), "price_cents": offer["price_cents"],
                "travel_cents": travel if offer["place"] == "property" else 0, "shares_travel": 0, "deposit_cents": 0, "deposit_status": "none",
                "status": "booked", "booked_at": (today - datetime.timedelta(days=rng.randint(1, 15))).isoformat() + "T13:%02d:00" % rng.randint(0, 59),
                "cancelled_at": None})

        fine = True
        for (name, species, kind), case in zip(chosen, cases + ["outside"]):
            options = [(d, o) for d, v in places for o in offers if o["vet_id"] == v and o["service"] in fits[species]]
            if not options:
                fine = False
                break
            day, offer = rng.choice(options)
            if case == "outside":
                day = outside
            else:
                places.remove((day, offer["vet_id"]))
            ids["patient"] += 1
            heads = 1 if kind == "animal" else rng.randint(10, 70)
            rows["patients"].append({"id": ids["patient"], "client_id": 1, "name": name, "kind": kind, "species": species, "head_count": heads})
            start = datetime.datetime.fromisoformat(day.isoformat() + "T%02d:%02d:00" % (rng.randint(9, 14), rng.choice((0, 15, 30, 45))))
            end = start + datetime.timedelta(minutes=offer["base_minutes"])
            shift(offer["vet_id"], start.replace(hour=8, minute=0), start.replace(hour=17, minute=0))
            book(1, ids["patient"], offer, start, heads)
            on = datetime.timedelta(days=7 * weeks)
            dawn, dusk = (start + on).replace(hour=8, minute=0), (start + on).replace(hour=17, minute=0)
            guest = rng.choice(strangers)
            if case in ("open", "outside"):
                shift(offer["vet_id"], dawn, dusk)
            elif case == "ends_just_then":
                shift(offer["vet_id"], dawn, end + on)
            elif case == "shift_too_short":
                shift(offer["vet_id"], dawn, end + on - datetime.timedelta(minutes=rng.choice((5, 10, 15))))
            elif case == "taken":
                shift(offer["vet_id"], dawn, dusk)
                book(guest["client_id"], guest["id"], dict(consult[offer["vet_id"]]), end + on - datetime.timedelta(minutes=rng.choice((5, 10))), 1)
            elif case == "right_after":
                shift(offer["vet_id"], dawn, dusk)
                book(guest["client_id"], guest["id"], dict(consult[offer["vet_id"]]), end + on, 1)
        spans = [(a["patient_id"], a["starts_at"], a["ends_at"]) for a in rows["appointments"]]
        if not fine or len({(s["vet_id"], s["starts_at"]) for s in rows["roster_shifts"]}) < len(rows["roster_shifts"]):
            continue
        if any(x[0] == y[0] and x[1] < y[2] and y[1] < x[2] for n, x in enumerate(spans) for y in spans[:n]):
            continue
        yield {"p": {"first": first.isoformat(), "last": last.isoformat(), "weeks": weeks}, "given": rows}


def solve(tools, p):
    moved = 0
    stuck = []
    for visit in tools.search_appointments(status="booked", first_day=p["first"], last_day=p["last"])["appointments"]:
        start = datetime.datetime.fromisoformat(visit["starts_at"]) + datetime.timedelta(days=7 * p["weeks"])
        try:
            tools.reschedule_appointment(appointment_id=visit["id"], starts_at=start.isoformat())
            moved += 1
        except tools.Error:
            stuck.append(visit["patient_name"])
    return {
        "outcome": "done",
        "answers": {"moved": moved, "not_moved": stuck},
        "reason": None,
        "message": f"{moved} visits are {p['weeks']} weeks later now; these could not be moved and stand as they were: {', '.join(stuck)}.",
    }


def _visits(world, p):
    """All visits of the stretch, each with whether it can be moved and to when."""
    rows = world.initial.query(
        "SELECT a.id, a.vet_id, a.starts_at, a.ends_at, q.name FROM appointments a JOIN patients q ON q.id = a.patient_id"
        " WHERE a.client_id = 1 AND a.status = 'booked' AND substr(a.starts_at, 1, 10) >= ? AND substr(a.starts_at, 1, 10) <= ? ORDER BY a.starts_at, a.id",
        [p["first"], p["last"]])
    on = datetime.timedelta(days=7 * p["weeks"])
    found = []
    for r in rows:
        start = (datetime.datetime.fromisoformat(r["starts_at"]) + on).isoformat()
        end = (datetime.datetime.fromisoformat(r["ends_at"]) + on).isoformat()
        shift = world.initial.one(
            "SELECT COUNT(*) AS n FROM roster_shifts WHERE vet_id = ? AND kind = 'day' AND starts_at <= ? AND ends_at >= ?", [r["vet_id"], start, end])
        busy = world.initial.one(
            "SELECT COUNT(*) AS n FROM appointments WHERE vet_id = ? AND status <> 'cancelled' AND id <> ? AND starts_at < ? AND ends_at > ?",
            [r["vet_id"], r["id"], end, start])
        found.append({"id": r["id"], "name": r["name"], "start": start, "end": end, "can": shift["n"] > 0 and busy["n"] == 0})
    return found


def goal_all_that_can_are_moved(world, p):
    """Every visit that can be moved is at the same hour with the same vet that many weeks later."""
    for visit in _visits(world, p):
        row = world.final.one("SELECT starts_at, ends_at, status FROM appointments WHERE id = ?", [visit["id"]])
        if visit["can"] and (row["starts_at"], row["ends_at"], row["status"]) != (visit["start"], visit["end"], "booked"):
            return False
    return True


def goal_says_how_many_are_moved(world, p):
    """Says how many visits are moved."""
    return world.report.says("moved", sum(v["can"] for v in _visits(world, p)))


def goal_says_which_are_not(world, p):
    """Says whose visits could not be moved."""
    return world.report.says("not_moved", [v["name"] for v in _visits(world, p) if not v["can"]])


def guard_moves_nothing_else(world, p):
    """Changed nothing but the times of visits that can be moved."""
    goals = {v["id"]: v for v in _visits(world, p) if v["can"]}
    for c in world.changes:
        if c["table"] != "appointments" or c["before"] is None or c["after"] is None or c["before"]["id"] not in goals:
            return False
        goal = goals[c["before"]["id"]]
        if {k for k in c["after"] if c["before"][k] != c["after"][k]} - {"starts_at", "ends_at"}:
            return False
        if (c["after"]["starts_at"], c["after"]["ends_at"]) != (goal["start"], goal["end"]):
            return False
    return True


def guard_reports_it_as_done(world, p):
    """Reports that it is done, for no rule."""
    return world.report.outcome in (None, "done") and world.report.reason is None
