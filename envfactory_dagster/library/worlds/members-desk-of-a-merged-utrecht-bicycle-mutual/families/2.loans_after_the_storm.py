import datetime

CAUSES = (
    ("the fallen tree", "Tree came down on the bicycles in the rack"),
    ("the storm", "Blown over and crushed by the scaffolding"),
    ("the collapsed fence", "Fence of the building site fell on the bicycles"),
    ("the accident with the rubbish lorry", "Rubbish lorry reversed into the bicycle rack"),
)

def _own_risk(sold, day, stayer):
    first, loss = datetime.date.fromisoformat(sold), datetime.date.fromisoformat(day)
    age = loss.year - first.year - ((loss.month, loss.day) < (first.month, first.day))
    if age < 3:
        return 3500
    if age < 5:
        return 6000
    return 5000 if stayer else 8500


def _claim_row(claim_id, bicycle, status, day, clock_time, place, description, shop_id, amount, brought_in, expected,
               ready, own_risk, reported, submitted):
    return {
        "id": claim_id,
        "claim_number": "CLM-" + str(30000 + claim_id).zfill(5),
        "member_id": 1,
        "cover_id": bicycle["cover"],
        "kind": "damage",
        "status": status,
        "happened_at": day + "T" + clock_time,
        "discovered_at": None,
        "place": place,
        "description": description,
        "police_number": None,
        "repair_shop_id": shop_id,
        "repair_amount_cents": amount,
        "brought_in_on": brought_in,
        "repair_expected_on": expected,
        "repair_ready_on": ready,
        "own_risk_cents": own_risk,
        "reported_at": reported,
        "submitted_at": submitted,
        "decided_at": None,
        "withdrawn_at": None,
    }


def instances(world, rng):
    """Three or four bicycles damaged together, each with a loan bicycle, at different stages."""
    today = datetime.date.fromisoformat(world.clock[:10])
    member = world.one(
        "SELECT m.old_fund AS fund, (SELECT count(*) FROM addresses h WHERE h.member_id = m.id AND h.kind = 'home')"
        " AS homes FROM members m WHERE m.id = 1"
    )
    stayer = member["fund"] == "lombok" and member["homes"] == 1
    bicycles = world.query(
        "SELECT b.id AS bicycle, b.first_sold_on AS sold, c.id AS cover, c.insured_value_cents AS worth FROM covers c"
        " JOIN bicycles b ON b.id = c.bicycle_id AND b.kind = c.kind JOIN policies p ON p.id = b.policy_id"
        " WHERE p.member_id = 1 AND (c.ends_on IS NULL OR c.ends_on > ?) AND c.starts_on < '2026-01-01'"
        " AND NOT EXISTS (SELECT 1 FROM covers y JOIN claims x ON x.cover_id = y.id WHERE y.bicycle_id = b.id"
        " AND (x.kind = 'theft' OR x.status IN ('reported', 'submitted', 'approved'))) ORDER BY c.id",
        [world.clock[:10]],
    )
    shops = [r["id"] for r in world.query("SELECT s.id FROM repair_shops s WHERE s.has_agreement = 1 ORDER BY s.id")]
    free = [
        r["id"]
        for r in world.query(
            "SELECT lb.id FROM loan_bicycles lb WHERE lb.kind <> 'cargo' AND NOT EXISTS (SELECT 1 FROM loans o"
            " WHERE o.loan_bicycle_id = lb.id AND o.returned_on IS NULL) ORDER BY lb.kind, lb.id"
        )
    ]
    days_taken = {
        r["day"] for r in world.query("SELECT DISTINCT substr(x.happened_at, 1, 10) AS day FROM claims x ORDER BY day")
    }
    next_claim = world.one("SELECT max(x.id) + 1 AS next_claim FROM claims x")["next_claim"]
    next_loan = world.one("SELECT max(o.id) + 1 AS next_loan FROM loans o")["next_loan"]
    if len(bicycles) < 3 or len(free) < 4:
        return
    while True:
        accident = today - datetime.timedelta(days=rng.randint(9, 13))
        day = accident.isoformat()
        if day in days_taken:
            continue
        cause, description = rng.choice(CAUSES)
        start = accident + datetime.timedelta(days=1)
        due = start + datetime.timedelta(days=14)
        chosen = sorted(rng.sample(range(len(bicycles)), rng.randint(3, min(4, len(bicycles)))))
        lent = rng.sample(free, len(chosen))
        shop = rng.choice(shops)
        claims, loans, good = [], [], 0
        for number, index in enumerate(chosen):
            bicycle = bicycles[index]
            case = rng.choice(("extend", "extend", "extend", "soon", "long", "again", "ready"))
            ready, extra, own_due = None, None, due
            if case == "again":
                extra = rng.randint(3, 7)
                own_due = due + datetime.timedelta(days=extra)
                expected = own_due + datetime.timedelta(days=rng.randint(2, 9))
            elif case == "soon":
                expected = due - datetime.timedelta(days=rng.randint(0, 2))
            elif case == "long":
                expected = due + datetime.timedelta(days=rng.randint(15, 21))
            elif case == "ready":
                expected = today - datetime.timedelta(days=rng.randint(0, 2))
                ready = expected.isoformat()
            else:
                expected = due + datetime.timedelta(days=rng.randint(1, 14))
                good += 1
            if expected < today and ready is None:
                expected = today + datetime.timedelta(days=1)
            claim_id = next_claim + number
            claims.append(
                _claim_row(
                    claim_id, bicycle, "submitted", day, "17:45:00", "Rack in front of the house", description, shop,
                    min(rng.randint(90, 380), bicycle["worth"] // 200) * 100, start.isoformat(), expected.isoformat(), ready,
                    _own_risk(bicycle["sold"], day, stayer), start.isoformat() + f"T09:{10 + number}:00",
                    start.isoformat() + f"T09:{30 + number}:00",
                )
            )
            loans.append(
                {
                    "id": next_loan + number,
                    "loan_bicycle_id": lent[number],
                    "claim_id": claim_id,
                    "starts_on": start.isoformat(),
                    "due_on": own_due.isoformat(),
                    "extended_at": (today - datetime.timedelta(days=2)).isoformat() + "T11:30:00" if extra else None,
                    "extra_days": extra,
                    "day_price_cents": 400 if extra else None,
                    "returned_on": None,
                    "created_at": start.isoformat() + f"T10:{10 + number}:00",
                }
            )
        if not good or good == len(chosen):
            continue
        yield {"p": {"cause": cause, "day": day}, "given": {"claims": claims, "loans": loans}}


def solve(tools, p):
    names = {b["id"]: f"{b['make']} {b['model']}" for b in tools.list_bicycles()["bicycles"]}
    longer, cost = [], 0
    for claim in tools.search_claims(kind="damage", first_day=p["day"], last_day=p["day"])["claims"]:
        case = tools.get_claim(claim_id=claim["id"])
        repair = case["claim"]
        for loan in case["loans"]:
            if loan["returned_on"] or loan["extended_at"] or repair["repair_ready_on"]:
                continue
            if repair["repair_expected_on"] is None:
                continue
            wait = datetime.date.fromisoformat(repair["repair_expected_on"]) - datetime.date.fromisoformat(
                loan["due_on"]
            )
            if 1 <= wait.days <= 14:
                done = tools.extend_loan(loan_id=loan["id"], extra_days=wait.days)
                cost += done["extra_days"] * done["day_price_cents"]
                longer.append(names[claim["bicycle_id"]])
    return {
        "outcome": "done",
        "answers": {"longer": longer, "extra_cost": cost},
        "reason": None,
        "message": (
            f"You can keep the loan bicycles for {', '.join(longer)} until yours are ready; that is"
            f" {cost / 100:.2f} euros together."
        ),
    }


def _loans(world, p):
    """The loans after that accident that an extension takes to the day of the repair, and by how many days."""
    rows = world.initial.query(
        "SELECT o.id, o.due_on, x.repair_expected_on AS target, b.make || ' ' || b.model AS name FROM loans o"
        " JOIN claims x ON x.id = o.claim_id JOIN covers c ON c.id = x.cover_id JOIN bicycles b ON b.id = c.bicycle_id"
        " WHERE x.member_id = 1 AND x.kind = 'damage' AND substr(x.happened_at, 1, 10) = ?"
        " AND o.returned_on IS NULL AND o.extended_at IS NULL AND x.repair_ready_on IS NULL ORDER BY o.id",
        [p["day"]],
    )
    found = []
    for row in rows:
        days = (datetime.date.fromisoformat(row["target"]) - datetime.date.fromisoformat(row["due_on"])).days
        if 1 <= days <= 14:
            found.append((row["id"], row["name"], row["target"], days))
    return found


def goal_every_bridgeable_loan_is_extended(world, p):
    """Every loan that can be is extended to exactly the day its repair is expected."""
    for loan_id, _, target, days in _loans(world, p):
        row = world.final.one(
            "SELECT o.due_on, o.extra_days, o.day_price_cents, o.extended_at FROM loans o WHERE o.id = ?", [loan_id]
        )
        if row["due_on"] != target or row["extra_days"] != days or row["day_price_cents"] != 400:
            return False
        if row["extended_at"] is None:
            return False
    return True


def goal_says_for_which_bicycles(world, p):
    """Says for which bicycles the loan runs longer."""
    return world.report.says("longer", [loan[1] for loan in _loans(world, p)])


def goal_says_what_it_costs(world, p):
    """Says what the extra days cost together."""
    return world.report.says("extra_cost", sum(loan[3] for loan in _loans(world, p)) * 400)


def guard_changes_these_loans_only(world, p):
    """Changed nothing but the extension of these loans."""
    ids = [loan[0] for loan in _loans(world, p)]
    free = ("due_on", "extended_at", "extra_days", "day_price_cents")
    for change in world.changes:
        before, after = change["before"], change["after"]
        if change["table"] != "loans" or before is None or after is None or before["id"] not in ids:
            return False
        if any(after[c] != before[c] for c in before if c not in free):
            return False
    return True


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")
