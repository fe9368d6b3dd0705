import datetime

PETS = (
    ("Bertie", "dog"), ("Coco", "cat"), ("Digger", "dog"), ("Esme", "cat"), ("Finn", "dog"), ("Ginny", "cat"), ("Harper", "dog"), ("Ivy", "cat"),
    ("Jock", "dog"), ("Kumara", "cat"), ("Lulu", "dog"), ("Milo", "cat"), ("Ned", "dog"), ("Opal", "cat"), ("Piper", "dog"), ("Quince", "cat"),
)
DENTAL = ("Teeth scaled and polished", "Extraction of a back tooth", "Dental X-ray", "Gum treatment", "Broken tooth filed")
OTHER = (("consult", "Clinic consult", 8400, 9200), ("medicine", "Course of antibiotic tablets", 4100, 9700), ("goods", "Prescription diet, 4 kg", 5900, 8900), ("procedure", "Nails and ears", 2500, 4900))


def instances(world, rng):
    """A pet on a plan with a dental allowance partly used, and many invoices, some with dental lines in the plan year and some claimed already."""
    top = world.one(
        "SELECT (SELECT MAX(id) FROM patients) AS patient, (SELECT MAX(id) FROM invoices) AS invoice, (SELECT MAX(id) FROM invoice_lines) AS line,"
        " (SELECT MAX(id) FROM payments) AS payment, (SELECT MAX(id) FROM wellness_plan_memberships) AS plan, (SELECT MAX(id) FROM plan_claims) AS claim")
    names = {r["name"] for r in world.query("SELECT name FROM patients WHERE client_id = 1 AND species <> 'sheep'")}
    others = [r["id"] for r in world.query("SELECT id FROM patients WHERE client_id = 1 AND kind = 'animal' AND species IN ('cat', 'dog') ORDER BY id DESC")]
    today = datetime.date.fromisoformat(world.clock[:10])
    pool = [x for x in PETS if x[0] not in names]
    for _ in range(220):
        name, species = rng.choice(pool)
        ids = dict(top)
        pet, plan = ids["patient"] + 1, ids["plan"] + 1
        begins = today - datetime.timedelta(days=rng.randint(150, 330))
        ends = begins + datetime.timedelta(days=364)
        allowance = rng.choice((20000, 25000, 30000, 35000))
        rows = {
            "patients": [{"id": pet, "client_id": 1, "name": name, "kind": "animal", "species": species, "head_count": 1}],
            "wellness_plan_memberships": [{
                "id": plan, "client_id": 1, "patient_id": pet, "starts_on": begins.isoformat(), "ends_on": ends.isoformat(), "dental_allowance_cents": allowance,
                "after_hours_consults": 2, "status": "active"}],
            "invoices": [], "invoice_lines": [], "payments": [], "plan_claims": [],
        }
        span = (today - begins).days - 12
        days = sorted(rng.sample(range(3, span), rng.randint(12, 15)))
        days = [begins - datetime.timedelta(days=rng.randint(10, 40))] + [begins + datetime.timedelta(days=n) for n in days]
        with_teeth = {0} | set(rng.sample(range(1, len(days)), rng.randint(5, 7)))
        inside = [n for n in sorted(with_teeth) if n > 0]
        claimed = {rng.choice(inside): rng.choice(("paid", "submitted"))}
        refused = rng.choice([n for n in inside if n not in claimed])
        used = 0
        open_sum = 0
        for n, day in enumerate(days):
            ids["invoice"] += 1
            number = ids["invoice"]
            rows["invoices"].append({
                "id": number, "code": "INV-%05d" % (47000 + number), "client_id": 1, "practice": "own", "issued_on": day.isoformat(),
                "due_on": (day + datetime.timedelta(days=7)).isoformat(), "status": "paid"})
            total = 0
            teeth = 0
            parts = [rng.choice(OTHER) + (pet if rng.random() < 0.5 else rng.choice(others),)]
            if n in with_teeth:
                parts.append(("dental", rng.choice(DENTAL), 3500, 13500, pet))
            elif rng.random() < 0.3:
                parts.append(("dental", rng.choice(DENTAL), 3500, 13500, rng.choice(others)))
            for kind, what, low, high, who in parts:
                cents = rng.randrange(low, high + 1, 50)
                ids["line"] += 1
                rows["invoice_lines"].append({
                    "id": ids["line"], "invoice_id": number, "patient_id": who, "appointment_id": None, "medicine_order_id": None, "kind": kind,
                    "description": what, "provided_on": day.isoformat(), "amount_cents": cents})
                total += cents
                teeth += cents if kind == "dental" and who == pet else 0
            paid = total
            if n in claimed:
                amount = teeth
                used += amount
                ids["claim"] += 1
                rows["plan_claims"].append({
                    "id": ids["claim"], "code": "CLM-%05d" % (47000 + ids["claim"]), "membership_id": plan, "invoice_id": number, "kind": "dental",
                    "amount_cents": amount, "status": claimed[n], "submitted_at": (day + datetime.timedelta(days=3)).isoformat() + "T11:00:00"})
                paid -= amount if claimed[n] == "paid" else 0
            elif n in with_teeth and n > 0:
                open_sum += teeth
            if n == refused:
                ids["claim"] += 1
                rows["plan_claims"].append({
                    "id": ids["claim"], "code": "CLM-%05d" % (47000 + ids["claim"]), "membership_id": plan, "invoice_id": number, "kind": "dental",
                    "amount_cents": teeth, "status": "withdrawn", "submitted_at": (day + datetime.timedelta(days=2)).isoformat() + "T16:30:00"})
            ids["payment"] += 1
            rows["payments"].append({
                "id": ids["payment"], "client_id": 1, "invoice_id": number, "appointment_id": None, "medicine_order_id": None, "kind": "payment",
                "amount_cents": paid, "paid_at": (day + datetime.timedelta(days=5)).isoformat() + "T09:40:00"})
        if open_sum <= allowance - used or used >= allowance - 6000 or min(p["amount_cents"] for p in rows["payments"]) <= 0:
            continue
        yield {"p": {"pet": name, "begins": begins.isoformat(), "plan": plan}, "given": rows}


def solve(tools, p):
    pet = next(q for q in tools.search_patients(name=p["pet"])["patients"] if q["name"] == p["pet"])
    plan = next(m for m in tools.list_plan_memberships(patient_id=pet["id"])["wellness_plan_memberships"] if m["starts_on"] == p["begins"])
    left = plan["dental_allowance_cents"] - plan["dental_used_cents"]
    live = {k["invoice_id"] for k in tools.list_plan_claims(wellness_plan_membership_id=plan["id"])["plan_claims"]
            if k["kind"] == "dental" and k["status"] in ("submitted", "paid")}
    claimed = 0
    teeth = 0
    bills = tools.search_invoices(first_day=p["begins"])["invoices"]
    for row in sorted(bills, key=lambda i: (i["issued_on"], i["id"])):
        lines = tools.get_invoice(invoice_id=row["id"])["invoice"]["lines"]
        mine = sum(
            x["amount_cents"] for x in lines
            if x["patient_id"] == pet["id"] and x["kind"] == "dental" and plan["starts_on"] <= x["provided_on"] <= plan["ends_on"]
        )
        if mine == 0 or row["id"] in live:
            continue
        teeth += mine
        if left > 0:
            amount = tools.submit_plan_claim(wellness_plan_membership_id=plan["id"], invoice_id=row["id"], kind="dental")["plan_claim"]["amount_cents"]
            claimed += amount
            left -= amount
    return {
        "outcome": "done",
        "answers": {"claimed": claimed, "not_covered": teeth - claimed},
        "reason": None,
        "message": f"${claimed / 100:.2f} of {p['pet']}'s dental bills is claimed, which uses the allowance up; ${(teeth - claimed) / 100:.2f} of them is not covered.",
    }


def _open_bills(world, p):
    """Invoices with dental lines of the pet in the plan year that carry no live claim, oldest first, as pairs of id and cents."""
    plan = world.initial.one("SELECT patient_id, starts_on, ends_on FROM wellness_plan_memberships WHERE id = ?", [p["plan"]])
    live = {r["invoice_id"] for r in world.initial.query(
        "SELECT invoice_id FROM plan_claims WHERE membership_id = ? AND kind = 'dental' AND status IN ('submitted', 'paid')", [p["plan"]])}
    bills = {}
    for line in world.initial.query(
            "SELECT l.invoice_id, l.amount_cents, i.issued_on FROM invoice_lines l JOIN invoices i ON i.id = l.invoice_id"
            " WHERE l.patient_id = ? AND l.kind = 'dental' AND l.provided_on >= ? AND l.provided_on <= ? AND i.client_id = 1 AND i.issued_on >= ?"
            " ORDER BY i.issued_on, i.id, l.id", [plan["patient_id"], plan["starts_on"], plan["ends_on"], plan["starts_on"]]):
        if line["invoice_id"] not in live:
            bills[line["invoice_id"]] = bills.get(line["invoice_id"], 0) + line["amount_cents"]
    return list(bills.items())


def _wanted(world, p):
    row = world.initial.one("SELECT dental_allowance_cents AS cents FROM wellness_plan_memberships WHERE id = ?", [p["plan"]])
    used = world.initial.one(
        "SELECT COALESCE(SUM(amount_cents), 0) AS cents FROM plan_claims WHERE membership_id = ? AND kind = 'dental' AND status IN ('submitted', 'paid')",
        [p["plan"]])
    left = row["cents"] - used["cents"]
    wanted = {}
    for number, cents in _open_bills(world, p):
        if left <= 0:
            break
        wanted[number] = min(left, cents)
        left -= wanted[number]
    return wanted


def _is_claim(p, row, wanted):
    return (
        row["membership_id"] == p["plan"]
        and row["kind"] == "dental"
        and row["invoice_id"] in wanted
        and row["amount_cents"] == wanted[row["invoice_id"]]
        and row["status"] == "submitted"
    )


def goal_claims_the_oldest_bills_first(world, p):
    """The dental bills are claimed, oldest first, until the allowance is used up."""
    wanted = _wanted(world, p)
    rows = [c["after"] for c in world.changes if c["table"] == "plan_claims" and c["before"] is None]
    return sorted(r["invoice_id"] for r in rows if _is_claim(p, r, wanted)) == sorted(wanted)


def goal_says_what_is_claimed(world, p):
    """Says what is claimed now."""
    return world.report.says("claimed", sum(_wanted(world, p).values()))


def goal_says_what_is_not_covered(world, p):
    """Says how much of those bills is not covered."""
    return world.report.says("not_covered", sum(cents for _, cents in _open_bills(world, p)) - sum(_wanted(world, p).values()))


def guard_adds_only_such_claims(world, p):
    """Changed nothing but one claim for each of those bills at most."""
    wanted = _wanted(world, p)
    seen = []
    for c in world.changes:
        row = c["after"]
        if c["table"] != "plan_claims" or c["before"] is not None or row is None:
            return False
        if not _is_claim(p, row, wanted) or row["invoice_id"] in seen:
            return False
        seen.append(row["invoice_id"])
    return True


def guard_reports_it_as_done(world, p):
    """Reports that it is done, for no rule."""
    return world.report.outcome in (None, "done") and world.report.reason is None
