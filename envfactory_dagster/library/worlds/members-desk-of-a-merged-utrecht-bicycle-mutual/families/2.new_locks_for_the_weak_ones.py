import datetime

KINDS = (("chain lock", "chain", 3), ("U-lock", "u_lock", 3), ("folding lock", "folding", 3))
NAMES = (("chain lock", "chain"), ("U-lock", "u_lock"), ("folding lock", "folding"))
MORE = (
    ("Gazelle", "Paris", 69900),
    ("Batavus", "Personal Bike", 64900),
    ("Sparta", "Ultra", 89900),
    ("Cortina", "Mozzo", 84900),
    ("Union", "Rover", 52900),
    ("Koga", "Colmaro", 119900),
)


def _wanted(query, category, today):
    """The bicycles that are still there, stay insured and have no lock of this category."""
    return query(
        "SELECT b.id AS bicycle, b.make || ' ' || b.model AS name FROM policies p JOIN bicycles b ON b.policy_id = p.id"
        " WHERE p.member_id = 1 AND NOT EXISTS (SELECT 1 FROM locks l WHERE l.bicycle_id = b.id AND l.category >= ?)"
        " AND EXISTS (SELECT 1 FROM covers c WHERE c.bicycle_id = b.id AND c.kind = b.kind AND c.starts_on <= ?"
        " AND c.ends_on IS NULL) AND b.id NOT IN (SELECT y.bicycle_id FROM claims x"
        " JOIN covers y ON y.id = x.cover_id WHERE x.kind = 'theft' AND x.status IN ('reported', 'submitted',"
        " 'approved', 'paid') AND y.kind <> 'battery') ORDER BY b.id",
        [category, today],
    )


def instances(world, rng):
    """A make and a category, with two or three further bicycles of the household with weaker or good locks."""
    today = datetime.date.fromisoformat(world.clock[:10])
    riders = world.query(
        "SELECT b.policy_id AS policy, b.rider_name AS rider, count(*) AS bicycles FROM policies p"
        " JOIN bicycles b ON b.policy_id = p.id WHERE p.member_id = 1 GROUP BY b.policy_id, b.rider_name ORDER BY rider"
    )
    start = {
        "bicycles": world.one("SELECT max(b.id) + 1 AS start_bicycle FROM bicycles b")["start_bicycle"],
        "locks": world.one("SELECT max(l.id) + 1 AS start_lock FROM locks l")["start_lock"],
        "covers": world.one("SELECT max(c.id) + 1 AS start_cover FROM covers c")["start_cover"],
    }
    while True:
        spoken, kind, category = rng.choice(KINDS)
        given = {"bicycles": [], "locks": [], "covers": []}
        names = []
        for make, model, price in rng.sample(MORE, rng.randint(1, 3)):
            number = len(given["bicycles"])
            bought = today - datetime.timedelta(days=rng.randint(90, 2600))
            added = (bought + datetime.timedelta(days=1)).isoformat()
            person = rng.choice(riders)
            given["bicycles"].append(
                {
                    "id": start["bicycles"] + number,
                    "policy_id": person["policy"],
                    "rider_name": person["rider"],
                    "kind": "city_bicycle",
                    "make": make,
                    "model": model,
                    "colour": rng.choice(("black", "white", "blue", "sand")),
                    "frame_number": make[:2].upper() + str(rng.randint(10000000, 99999999)) + "Q",
                    "first_sold_on": bought.isoformat(),
                    "acquired_on": bought.isoformat(),
                    "price_cents": price,
                    "battery_wh": None,
                    "added_at": added + "T09:45:00",
                }
            )
            good = rng.random() < 0.35
            given["locks"].append(
                {
                    "id": start["locks"] + number,
                    "bicycle_id": start["bicycles"] + number,
                    "make": rng.choice(("AXA", "Abus", "Trelock")),
                    "kind": "chain" if good else "ring",
                    "category": category if good else 2,
                    "added_on": added,
                }
            )
            given["covers"].append(
                {
                    "id": start["covers"] + number,
                    "bicycle_id": start["bicycles"] + number,
                    "kind": "city_bicycle",
                    "insured_value_cents": price,
                    "monthly_premium_cents": price * 80 // 10000,
                    "starts_on": added,
                    "ends_on": None,
                    "cancelled_at": None,
                }
            )
            if not good:
                names.append(make + " " + model)
        if not names:
            continue
        yield {
            "p": {
                "make": rng.choice(("Abus", "AXA", "Kryptonite", "Trelock", "Hiplok")),
                "lock": spoken,
                "category": category,
                "today": today.isoformat(),
            },
            "given": given,
        }


def solve(tools, p):
    stolen = {
        claim["cover_id"]
        for claim in tools.search_claims(kind="theft")["claims"]
        if claim["status"] not in ("refused", "withdrawn")
    }
    done = []
    for bicycle in tools.list_bicycles(covered_only=True)["bicycles"]:
        found = tools.get_bicycle(bicycle_id=bicycle["id"])
        own = [cover for cover in found["covers"] if cover["kind"] == bicycle["kind"]]
        if any(cover["id"] in stolen for cover in own) or all(cover["ends_on"] for cover in own):
            continue
        if any(lock["category"] >= p["category"] for lock in found["locks"]):
            continue
        tools.add_lock(
            bicycle_id=bicycle["id"], make=p["make"], kind=dict(NAMES)[p["lock"]], category=p["category"]
        )
        done.append(f"{bicycle['make']} {bicycle['model']}")
    return {
        "outcome": "done",
        "answers": {"bicycles": done},
        "reason": None,
        "message": f"The new lock is down for: {', '.join(done)}.",
    }


def goal_every_weak_one_has_its_lock(world, p):
    """Every insured bicycle without a lock of that category has exactly one new one."""
    new = [c["after"] for c in world.changes if c["table"] == "locks" and c["before"] is None]
    for bicycle in _wanted(world.initial.query, p["category"], p["today"]):
        own = [lock for lock in new if lock["bicycle_id"] == bicycle["bicycle"]]
        if len(own) != 1 or own[0]["kind"] != dict(NAMES)[p["lock"]] or own[0]["category"] != p["category"]:
            return False
        if not world.same_text(own[0]["make"], p["make"]):
            return False
    return True


def goal_says_which_bicycles(world, p):
    """Says for which bicycles a new lock was put down."""
    names = [bicycle["name"] for bicycle in _wanted(world.initial.query, p["category"], p["today"])]
    return world.report.says("bicycles", names)


def guard_adds_locks_to_these_bicycles_only(world, p):
    """Changed nothing but one new lock at most for each of these bicycles."""
    ids = [bicycle["bicycle"] for bicycle in _wanted(world.initial.query, p["category"], p["today"])]
    seen = []
    for change in world.changes:
        if change["table"] != "locks" or change["before"] is not None:
            return False
        if change["after"]["bicycle_id"] not in ids or change["after"]["bicycle_id"] in seen:
            return False
        seen.append(change["after"]["bicycle_id"])
    return True


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")
