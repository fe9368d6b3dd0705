import datetime

LIMITS = (3500, 5000, 6000)
GONE = ("reported", "submitted", "approved", "paid")
FURTHER = (
    ("Gazelle", "Miss Grace", 89900),
    ("Sparta", "Comfort", 74900),
    ("Cortina", "Roots", 69900),
    ("Batavus", "Dinsdag", 84900),
    ("Koga", "Supermetro", 139900),
    ("Union", "Chase", 49900),
)


def _own_risk(sold, day, stayer):
    first, loss = datetime.date.fromisoformat(sold), datetime.date.fromisoformat(day)
    age = loss.year - first.year - ((loss.month, loss.day) < (first.month, first.day))
    if age < 3:
        return 3500
    if age < 5:
        return 6000
    return 5000 if stayer else 8500


def _rows(query, day):
    """The bicycles that are still there and insured on that day, with their best lock."""
    return query(
        "SELECT b.id, b.make || ' ' || b.model AS name, b.first_sold_on,"
        " (SELECT max(l.category) FROM locks l WHERE l.bicycle_id = b.id) AS best_lock"
        " FROM bicycles b JOIN policies p ON p.id = b.policy_id WHERE p.member_id = 1"
        " AND EXISTS (SELECT 1 FROM covers c WHERE c.bicycle_id = b.id AND c.kind = b.kind AND c.starts_on <= ?"
        " AND (c.ends_on IS NULL OR c.ends_on >= ?))"
        " AND NOT EXISTS (SELECT 1 FROM claims x JOIN covers y ON y.id = x.cover_id WHERE y.bicycle_id = b.id"
        " AND y.kind = b.kind AND x.kind = 'theft' AND x.status NOT IN ('refused', 'withdrawn')) ORDER BY b.id",
        [day, day],
    )


def _stayer(one, day):
    row = one(
        "SELECT m.old_fund, count(a.id) AS homes FROM members m LEFT JOIN addresses a ON a.member_id = m.id"
        " AND a.kind = 'home' AND a.starts_on <= ? WHERE m.id = 1 GROUP BY m.id",
        [day],
    )
    return row["old_fund"] == "lombok" and row["homes"] <= 1


def _fit(rows, p, stayer):
    return [
        row["name"]
        for row in rows
        if row["best_lock"] is not None
        and row["best_lock"] >= p["category"]
        and _own_risk(row["first_sold_on"], p["day"], stayer) <= p["limit"]
    ]


def instances(world, rng):
    """A Friday or Saturday in the coming months, with a further bicycle of the household."""
    today = datetime.date.fromisoformat(world.clock[:10])
    household = world.query(
        "SELECT b.rider_name AS rider, b.policy_id AS policy FROM bicycles b JOIN policies p ON p.id = b.policy_id"
        " WHERE p.member_id = 1 AND p.ends_on IS NULL GROUP BY b.rider_name, b.policy_id ORDER BY b.rider_name"
    )
    bicycle_id = world.one("SELECT 1 + max(b.id) AS free FROM bicycles b")["free"]
    lock_id = world.one("SELECT 1 + max(l.id) AS free FROM locks l")["free"]
    cover_id = world.one("SELECT 1 + max(c.id) AS free FROM covers c")["free"]
    while True:
        date = today + datetime.timedelta(days=rng.randint(24, 170))
        if date.weekday() not in (4, 5):
            continue
        day = date.isoformat()
        rows = _rows(world.query, day)
        stayer = _stayer(world.one, day)
        make, model, price = rng.choice(FURTHER)
        bought = today - datetime.timedelta(days=rng.randint(60, 3000))
        added = (bought + datetime.timedelta(days=3)).isoformat()
        person = rng.choice(household)
        lock_kind, category = rng.choice((("chain", 3), ("ring", 2), ("u_lock", 3), ("folding", 2), ("chain", 4)))
        given = {
            "bicycles": [
                {
                    "id": bicycle_id,
                    "policy_id": person["policy"],
                    "rider_name": person["rider"],
                    "kind": "city_bicycle",
                    "make": make,
                    "model": model,
                    "colour": rng.choice(("black", "cream", "dark red", "grey")),
                    "frame_number": make[:2].upper() + str(rng.randint(10000000, 99999999)) + "X",
                    "first_sold_on": bought.isoformat(),
                    "acquired_on": bought.isoformat(),
                    "price_cents": price,
                    "battery_wh": None,
                    "added_at": added + "T11:05:00",
                }
            ],
            "locks": [
                {
                    "id": lock_id,
                    "bicycle_id": bicycle_id,
                    "make": rng.choice(("Abus", "AXA")),
                    "kind": lock_kind,
                    "category": category,
                    "added_on": added,
                }
            ],
            "covers": [
                {
                    "id": cover_id,
                    "bicycle_id": bicycle_id,
                    "kind": "city_bicycle",
                    "insured_value_cents": price,
                    "monthly_premium_cents": price * 80 // 10000,
                    "starts_on": added,
                    "ends_on": None,
                    "cancelled_at": None,
                }
            ],
        }
        p = {"day": day, "limit": rng.choice(LIMITS), "category": rng.choice((2, 3, 3))}
        if p["limit"] == 5000 and not stayer:
            continue
        every = rows + [
            {
                "id": bicycle_id,
                "name": make + " " + model,
                "first_sold_on": bought.isoformat(),
                "best_lock": category,
            }
        ]
        fit = _fit(every, p, stayer)
        if not fit or len(fit) > len(every) - 2:
            continue
        yield {"p": p, "given": given}


def solve(tools, p):
    homes = [a for a in tools.list_addresses(kind="home")["addresses"] if a["starts_on"] <= p["day"]]
    stayer = tools.get_membership()["member"]["old_fund"] == "lombok" and len(homes) <= 1
    thefts = {}
    for claim in tools.search_claims(kind="theft")["claims"]:
        if claim["status"] in GONE:
            thefts.setdefault(claim["bicycle_id"], set()).add(claim["cover_id"])
    fit = []
    for bicycle in tools.list_bicycles(covered_only=True)["bicycles"]:
        found = tools.get_bicycle(bicycle_id=bicycle["id"])
        own = [c for c in found["covers"] if c["kind"] == bicycle["kind"]]
        if any(c["id"] in thefts.get(bicycle["id"], ()) for c in own):
            continue
        if not any(
            c["starts_on"] <= p["day"] and (c["ends_on"] is None or c["ends_on"] >= p["day"]) for c in own
        ):
            continue
        if not any(lock["category"] >= p["category"] for lock in found["locks"]):
            continue
        if _own_risk(bicycle["first_sold_on"], p["day"], stayer) <= p["limit"]:
            fit.append(f"{bicycle['make']} {bicycle['model']}")
    return {
        "outcome": "done",
        "answers": {"bicycles": fit},
        "reason": None,
        "message": f"You can leave these at the station: {', '.join(fit)}.",
    }


def goal_says_which_bicycles(world, p):
    """Says which bicycles are insured, well locked and within the own risk on that day."""
    rows = _rows(world.initial.query, p["day"])
    return world.report.says("bicycles", _fit(rows, p, _stayer(world.initial.one, p["day"])))


def guard_changes_nothing(world, p):
    """Changed nothing."""
    return world.changes == []


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")
