import datetime

WISHES = (("an ordinary bicycle", "city_bicycle"), ("an electric bicycle", "electric"), ("a cargo bicycle", "cargo"))
CAUSES = (
    ("a scooter ran into it", "Hit by a scooter at the crossing, front wheel and fork bent"),
    ("I fell with it on wet leaves", "Fell on wet leaves, handlebar and brake lever broken"),
    ("somebody opened a car door into it", "Driver opened the door, front wheel buckled"),
    ("its axle broke", "Rear axle snapped on a speed bump"),
    ("I hit a pothole with it", "Rim and several spokes broken in a pothole"),
)
SPOTS = ("Maliebaan", "Croeselaan", "Vleutenseweg", "Adelaarstraat", "Catharijnesingel", "Nobelstraat")


def _free(query, shop_id, kind):
    """The loan bicycles of this kind at this shop that are not out."""
    return query(
        "SELECT lb.id FROM loan_bicycles lb LEFT JOIN loans o ON o.loan_bicycle_id = lb.id AND o.returned_on IS NULL"
        " WHERE lb.repair_shop_id = ? AND lb.kind = ? AND o.id IS NULL ORDER BY lb.id",
        [shop_id, kind],
    )


def instances(world, rng):
    """A damaged bicycle at an agreement shop, and a kind of loan bicycle that this shop or another one has."""
    today = datetime.date.fromisoformat(world.clock[:10])
    fund = world.one(
        "SELECT m.old_fund AS old_fund, sum(a.kind = 'home') AS lived_in FROM members m JOIN addresses a"
        " ON a.member_id = m.id WHERE m.id = 1 GROUP BY m.id"
    )
    bicycles = world.query(
        "SELECT b.make || ' ' || b.model AS name, b.first_sold_on AS sold, b.kind, c.id AS cover,"
        " c.insured_value_cents AS worth FROM covers c JOIN bicycles b ON b.id = c.bicycle_id JOIN policies p"
        " ON p.id = b.policy_id JOIN members m ON m.id = p.member_id WHERE m.id = 1 AND c.kind = b.kind"
        " AND c.ends_on IS NULL AND NOT EXISTS (SELECT 1 FROM claims x JOIN covers y ON y.id = x.cover_id"
        " WHERE y.bicycle_id = b.id AND x.status IN ('reported', 'submitted', 'approved')) ORDER BY b.id"
    )
    shops = world.query("SELECT s.id, s.name FROM repair_shops s WHERE s.has_agreement = 1 ORDER BY s.name")
    fresh = world.one("SELECT max(x.id) + 1 AS fresh_claim FROM claims x")["fresh_claim"]
    while bicycles:
        bicycle = rng.choice(bicycles)
        here, other = rng.sample(shops, 2)
        wish, kind = rng.choice(WISHES)
        at_home, elsewhere = _free(world.query, here["id"], kind), _free(world.query, other["id"], kind)
        chosen = at_home or elsewhere
        if len(chosen) != 1 or (at_home and rng.random() < 0.3):
            continue
        cause, description = rng.choice(CAUSES)
        happened = today - datetime.timedelta(days=rng.randint(2, 6))
        brought = happened + datetime.timedelta(days=1)
        day = today + datetime.timedelta(days=rng.randint(1, 4))
        sold = datetime.date.fromisoformat(bicycle["sold"])
        age = happened.year - sold.year - ((happened.month, happened.day) < (sold.month, sold.day))
        stays = fund["old_fund"] == "lombok" and fund["lived_in"] == 1
        risk = 3500 if age < 3 else 6000 if age < 5 else 5000 if stays else 8500
        submitted = brought.isoformat() + "T10:40:00" if rng.random() < 0.6 else None
        claim = {
            "id": fresh,
            "claim_number": "CLM-" + str(36000 + rng.randint(1, 900)),
            "member_id": 1,
            "cover_id": bicycle["cover"],
            "kind": "damage",
            "status": "submitted" if submitted else "reported",
            "happened_at": happened.isoformat() + "T08:15:00",
            "discovered_at": None,
            "place": rng.choice(SPOTS),
            "description": description,
            "police_number": None,
            "repair_shop_id": here["id"],
            "repair_amount_cents": min(rng.randint(80, 260), bicycle["worth"] // 200) * 100,
            "brought_in_on": brought.isoformat(),
            "repair_expected_on": (day + datetime.timedelta(days=rng.randint(6, 18))).isoformat(),
            "repair_ready_on": None,
            "own_risk_cents": risk,
            "reported_at": brought.isoformat() + "T10:05:00",
            "submitted_at": submitted,
            "decided_at": None,
            "withdrawn_at": None,
        }
        yield {
            "p": {
                "bicycle": bicycle["name"],
                "cause": cause,
                "wish": wish,
                "day": day.isoformat(),
                "other": other["name"],
                "claim": fresh,
                "shop": here["id"] if at_home else other["id"],
                "loan_bicycle": chosen[0]["id"],
            },
            "given": {"claims": [claim]},
        }


def solve(tools, p):
    kind = dict(WISHES)[p["wish"]]
    bicycle = next(
        b for b in tools.list_bicycles(covered_only=True)["bicycles"] if f"{b['make']} {b['model']}" == p["bicycle"]
    )
    claim = None
    for found in tools.search_claims(kind="damage", bicycle_id=bicycle["id"])["claims"]:
        repair = tools.get_claim(claim_id=found["id"])["claim"]
        if repair["brought_in_on"] and not repair["repair_ready_on"]:
            claim = repair
    shops = {shop["name"]: shop["id"] for shop in tools.search_repair_shops(has_agreement=1)["repair_shops"]}
    free = []
    for shop_id in (claim["repair_shop_id"], shops[p["other"]]):
        free = tools.search_loan_bicycles(kind=kind, repair_shop_id=shop_id, free_only=True)["loan_bicycles"]
        if free:
            break
    loan = tools.borrow_loan_bicycle(claim_id=claim["id"], loan_bicycle_id=free[0]["id"], starts_on=p["day"])
    return {
        "outcome": "done",
        "answers": {"collect_at": free[0]["shop_name"], "back_on": loan["due_on"]},
        "reason": None,
        "message": f"You collect it at {free[0]['shop_name']} and bring it back by {loan['due_on']}.",
    }


def _due(p):
    return (datetime.date.fromisoformat(p["day"]) + datetime.timedelta(days=14)).isoformat()


def goal_loan_bicycle_is_borrowed(world, p):
    """The free loan bicycle of that kind at the first shop that has one is borrowed for 14 days."""
    new = [c["after"] for c in world.changes if c["table"] == "loans" and c["before"] is None]
    return (
        len(new) == 1
        and new[0]["claim_id"] == p["claim"]
        and new[0]["loan_bicycle_id"] == p["loan_bicycle"]
        and new[0]["starts_on"] == p["day"]
        and new[0]["due_on"] == _due(p)
        and new[0]["extended_at"] is None
        and new[0]["returned_on"] is None
    )


def goal_says_where_to_collect_it(world, p):
    """Says at which shop it is collected."""
    shop = world.initial.one("SELECT s.name AS shop_of_loan FROM repair_shops s WHERE s.id = ?", [p["shop"]])
    return world.report.says("collect_at", shop["shop_of_loan"])


def goal_says_when_it_has_to_be_back(world, p):
    """Says on what day it has to be back."""
    return world.report.says("back_on", _due(p))


def guard_adds_one_loan_only(world, p):
    """Changed nothing but one new loan for that claim."""
    return len(world.changes) <= 1 and all(
        c["table"] == "loans" and c["before"] is None and c["after"]["claim_id"] == p["claim"] for c in world.changes
    )


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")
