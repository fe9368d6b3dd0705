import datetime

ACCIDENTS = (
    ("Biltstraat", "Front wheel and fork bent by a turning car", 14000, 42000),
    ("Oudegracht", "Fell down the steps of the wharf, frame and handlebar damaged", 16000, 52000),
    ("Vleutenseweg", "Back wheel caught in the tram rails", 9000, 26000),
    ("Ledig Erf", "Chain case and rear mudguard torn off in a crowd", 6500, 15500),
    ("Amsterdamsestraatweg", "Hit by a parcel van, both wheels buckled", 18000, 39000),
    ("Wittevrouwensingel", "Saddle, carrier and rear lamp broken by vandals", 7000, 19000),
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
    """Two to four further damage claims at shops with and without an agreement, with and without estimates."""
    today = datetime.date.fromisoformat(world.clock[:10])
    homes = world.query("SELECT a.id FROM addresses a WHERE a.member_id = 1 AND a.kind = 'home' ORDER BY a.id")
    fund = world.one("SELECT m.old_fund AS fund_of_user FROM members m WHERE m.id = 1")["fund_of_user"]
    stayer = fund == "lombok" and len(homes) == 1
    bicycles = world.query(
        "SELECT c.id AS cover, b.first_sold_on AS sold, c.insured_value_cents AS worth FROM bicycles b"
        " JOIN covers c ON c.bicycle_id = b.id"
        " JOIN policies p ON p.id = b.policy_id WHERE p.member_id = 1 AND c.kind = b.kind"
        " AND c.starts_on < '2026-01-01' AND (c.ends_on IS NULL OR c.ends_on > ?)"
        " AND b.id NOT IN (SELECT y.bicycle_id FROM covers y JOIN claims x ON x.cover_id = y.id"
        " WHERE x.kind = 'theft' OR x.status IN ('reported', 'submitted', 'approved')) ORDER BY b.first_sold_on, b.id",
        [world.clock[:10]],
    )
    shops = world.query("SELECT s.id, s.has_agreement FROM repair_shops s ORDER BY s.has_agreement, s.id")
    other = [shop["id"] for shop in shops if not shop["has_agreement"]]
    agreed = [shop["id"] for shop in shops if shop["has_agreement"]]
    first_claim = world.one("SELECT count(*) + 1 + max(id) - count(*) AS first_claim FROM claims")["first_claim"]
    first_estimate = world.one("SELECT max(e.id) + 1 AS first_estimate FROM estimates e")["first_estimate"]
    if len(bicycles) < 3:
        return
    while True:
        since = today - datetime.timedelta(days=rng.randint(9, 34))
        chosen = rng.sample(bicycles, rng.randint(2, min(4, len(bicycles))))
        accidents = rng.sample(ACCIDENTS, len(chosen))
        claims, estimates, open_ones = [], [], 0
        for number, bicycle in enumerate(chosen):
            span = (today - since).days
            happened = today - datetime.timedelta(days=rng.randint(3, span + 4))
            place, description, low, high = accidents[number]
            amount = min(rng.randint(low // 100, high // 100), bicycle["worth"] // 170) * 100
            shop = rng.choice(other) if rng.random() < 0.75 else rng.choice(agreed)
            claim_id = first_claim + number
            brought = happened + datetime.timedelta(days=1)
            expected = today + datetime.timedelta(days=rng.randint(3, 20))
            reported = brought.isoformat() + f"T{9 + number:02d}:20:00"
            submitted = brought.isoformat() + f"T{9 + number:02d}:50:00" if rng.random() < 0.5 else None
            claims.append(
                _claim_row(
                    claim_id, bicycle, "submitted" if submitted else "reported", happened.isoformat(), "08:25:00",
                    place, description, shop, amount, brought.isoformat(), expected.isoformat(), None,
                    _own_risk(bicycle["sold"], happened.isoformat(), stayer), reported, submitted,
                )
            )
            state = rng.choice(("none", "none", "asked", "approved")) if amount > 15000 else "none"
            if state != "none":
                asked = brought.isoformat() + "T16:15:00"
                decided = (brought + datetime.timedelta(days=1)).isoformat() + "T11:00:00"
                estimates.append(
                    {
                        "id": first_estimate + len(estimates),
                        "claim_id": claim_id,
                        "repair_shop_id": shop,
                        "amount_cents": amount,
                        "description": "Repair as described by the shop",
                        "status": state,
                        "asked_at": asked,
                        "decided_at": decided if state == "approved" else None,
                    }
                )
            elif amount > 15000 and shop in other and happened >= since:
                open_ones += 1
        if not open_ones or sum(1 for c in claims if c["happened_at"][:10] >= since.isoformat()) < 2:
            continue
        given = {"claims": claims}
        if estimates:
            given["estimates"] = estimates
        yield {"p": {"day": since.isoformat()}, "given": given}


def solve(tools, p):
    names = {b["id"]: f"{b['make']} {b['model']}" for b in tools.list_bicycles()["bicycles"]}
    agreed = {shop["id"] for shop in tools.search_repair_shops(has_agreement=1)["repair_shops"]}
    need, expected = [], 0
    for claim in tools.search_claims(kind="damage", first_day=p["day"])["claims"]:
        if claim["status"] not in ("reported", "submitted"):
            continue
        case = tools.get_claim(claim_id=claim["id"])
        amount = case["claim"]["repair_amount_cents"] or 0
        if case["claim"]["repair_shop_id"] not in agreed and amount > 15000:
            states = {estimate["status"] for estimate in case["estimates"]}
            if not states & {"asked", "approved"}:
                need.append(names[claim["bicycle_id"]])
            if "approved" not in states:
                amount = 15000
        expected += max(0, amount - claim["own_risk_cents"])
    return {
        "outcome": "done",
        "answers": {"need_estimate": need, "expected": expected},
        "reason": None,
        "message": (
            f"An estimate is still missing for: {', '.join(need)}. As it stands you may count on"
            f" {expected / 100:.2f} euros together."
        ),
    }


def _open(world, p):
    """The undecided damage claims since that day, with shop and estimates."""
    return world.initial.query(
        "SELECT x.own_risk_cents AS risk, x.repair_amount_cents AS amount, b.make || ' ' || b.model AS name,"
        " s.has_agreement AS agreed, (SELECT count(*) FROM estimates e WHERE e.claim_id = x.id"
        " AND e.status = 'approved') AS approved, (SELECT count(*) FROM estimates e WHERE e.claim_id = x.id"
        " AND e.status = 'asked') AS asked FROM claims x JOIN covers c ON c.id = x.cover_id"
        " JOIN bicycles b ON b.id = c.bicycle_id JOIN repair_shops s ON s.id = x.repair_shop_id"
        " WHERE x.member_id = 1 AND x.kind = 'damage' AND x.status IN ('reported', 'submitted')"
        " AND substr(x.happened_at, 1, 10) >= ? ORDER BY x.id",
        [p["day"]],
    )


def goal_says_where_an_estimate_is_missing(world, p):
    """Says for which bicycles an estimate should still be sent."""
    names = [
        row["name"]
        for row in _open(world, p)
        if not row["agreed"] and row["amount"] > 15000 and not row["approved"] and not row["asked"]
    ]
    return world.report.says("need_estimate", names)


def goal_says_what_may_be_expected(world, p):
    """Says what would be paid today for all of them together."""
    total = 0
    for row in _open(world, p):
        counts = row["amount"] if row["agreed"] or row["approved"] else min(row["amount"], 15000)
        total += max(0, counts - row["risk"])
    return world.report.says("expected", total)


def guard_changes_nothing(world, p):
    """Changed nothing."""
    return world.changes == []


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")
