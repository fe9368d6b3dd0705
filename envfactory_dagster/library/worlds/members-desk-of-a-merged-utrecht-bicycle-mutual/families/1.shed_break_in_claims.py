import datetime

PLACES = ("the shared storage", "our bicycle shed", "the cellar box", "the shed behind the house", "the garage in our street")
PATTERNS = ("complete", "three keys", "no number", "one copy", "one key", "no keys", "two locks")


def _own_risk(sold, day, stayer):
    first, loss = datetime.date.fromisoformat(sold), datetime.date.fromisoformat(day)
    age = loss.year - first.year - ((loss.month, loss.day) < (first.month, first.day))
    if age < 3:
        return 3500
    if age < 5:
        return 6000
    return 5000 if stayer else 8500


def _keys(pattern, locks, rng):
    """Lock and quality of the keys handed in."""
    lock = rng.choice(locks)
    if pattern == "one copy":
        return [(lock, "original"), (lock, "copy")]
    if pattern == "one key":
        return [(lock, "original")]
    if pattern == "no keys":
        return []
    if pattern == "three keys":
        return [(lock, "original"), (lock, "copy"), (lock, "original")]
    if pattern == "two locks":
        return [(locks[0], "original"), (locks[1], "original")]
    return [(lock, "original"), (lock, "original")]


def instances(world, rng):
    """Three or four bicycles of the household stolen on one evening, some of the claims complete and some not."""
    today = datetime.date.fromisoformat(world.clock[:10])
    stayer = world.one(
        "SELECT m.old_fund = 'lombok' AND (SELECT count(*) FROM addresses a WHERE a.member_id = m.id"
        " AND a.kind = 'home') = 1 AS stays FROM members m WHERE m.id = 1"
    )["stays"]
    bicycles = world.query(
        "SELECT b.id, b.first_sold_on, c.id AS cover_id, c.ends_on FROM bicycles b"
        " JOIN policies p ON p.id = b.policy_id JOIN covers c ON c.bicycle_id = b.id AND c.kind = b.kind"
        " WHERE p.member_id = 1 AND c.starts_on <= ? AND (c.ends_on IS NULL OR c.ends_on >= ?)"
        " AND NOT EXISTS (SELECT 1 FROM claims x JOIN covers y ON y.id = x.cover_id WHERE y.bicycle_id = b.id"
        " AND (x.status IN ('reported', 'submitted', 'approved') OR (x.kind = 'theft' AND x.status = 'paid')))"
        " ORDER BY b.id",
        [world.clock[:10], world.clock[:10]],
    )
    locks = {}
    for row in world.query("SELECT id, bicycle_id FROM locks ORDER BY bicycle_id, id"):
        locks.setdefault(row["bicycle_id"], []).append(row["id"])
    taken = {
        row["day"] for row in world.query("SELECT substr(happened_at, 1, 10) AS day FROM claims WHERE member_id = 1")
    }
    next_claim = world.one("SELECT max(id) + 1 AS n FROM claims")["n"]
    next_key = world.one("SELECT max(id) + 1 AS n FROM handed_in_keys")["n"]
    if len(bicycles) < 3:
        return
    while True:
        day = (today - datetime.timedelta(days=rng.randint(4, 11))).isoformat()
        if day in taken:
            continue
        after = (datetime.date.fromisoformat(day) + datetime.timedelta(days=1)).isoformat()
        later = (datetime.date.fromisoformat(day) + datetime.timedelta(days=2)).isoformat()
        gone = sorted(rng.sample(range(len(bicycles)), rng.randint(3, min(4, len(bicycles)))))
        number = "PL0900-2026" + str(rng.randint(90000, 139999)).zfill(6)
        place = rng.choice(PLACES)
        hour, minute = rng.randint(20, 23), rng.choice((5, 15, 30, 40, 50))
        claims, keys, complete = [], [], []
        for place_in_list, index in enumerate(gone):
            bicycle = bicycles[index]
            own = locks[bicycle["id"]]
            pattern = rng.choice(PATTERNS if len(own) > 1 else PATTERNS[:-1])
            handed = _keys(pattern, own, rng)
            has_number = pattern != "no number" and (pattern in ("complete", "three keys") or rng.random() < 0.7)
            claim_id = next_claim + place_in_list
            claims.append(
                {
                    "id": claim_id,
                    "claim_number": "CLM-" + str(20000 + claim_id).zfill(5),
                    "member_id": 1,
                    "cover_id": bicycle["cover_id"],
                    "kind": "theft",
                    "status": "reported",
                    "happened_at": f"{day}T{hour:02d}:{minute:02d}:00",
                    "discovered_at": f"{after}T07:20:00",
                    "place": place[0].upper() + place[1:],
                    "description": "Door forced in the evening, several bicycles taken, locks closed",
                    "police_number": number if has_number else None,
                    "repair_shop_id": None,
                    "repair_amount_cents": None,
                    "brought_in_on": None,
                    "repair_expected_on": None,
                    "repair_ready_on": None,
                    "own_risk_cents": _own_risk(bicycle["first_sold_on"], day, stayer),
                    "reported_at": f"{after}T{10 + place_in_list:02d}:10:00",
                    "submitted_at": None,
                    "decided_at": None,
                    "withdrawn_at": None,
                }
            )
            way = rng.choice(("counter", "post"))
            for lock, quality in handed:
                keys.append(
                    {
                        "id": next_key + len(keys),
                        "claim_id": claim_id,
                        "lock_id": lock,
                        "quality": quality,
                        "way": way,
                        "handed_in_at": f"{later}T14:{10 + len(keys):02d}:00",
                    }
                )
            if has_number and pattern in ("complete", "three keys"):
                complete.append(claim_id)
        if not complete or len(complete) == len(claims):
            continue
        given = {"claims": claims}
        if keys:
            given["handed_in_keys"] = keys
        yield {"p": {"day": day, "place": place}, "given": given}


def solve(tools, p):
    names = {b["id"]: f"{b['make']} {b['model']}" for b in tools.list_bicycles()["bicycles"]}
    submitted, missing = [], []
    found = tools.search_claims(status="reported", kind="theft", first_day=p["day"], last_day=p["day"])["claims"]
    for claim in found:
        case = tools.get_claim(claim_id=claim["id"])
        per_lock = {}
        for key in case["handed_in_keys"]:
            if key["quality"] == "original":
                per_lock[key["lock_id"]] = per_lock.get(key["lock_id"], 0) + 1
        name = names[claim["bicycle_id"]]
        if case["claim"]["police_number"] and max(per_lock.values(), default=0) >= 2:
            tools.submit_claim(claim_id=claim["id"])
            submitted.append(name)
        else:
            missing.append(name)
    return {
        "outcome": "done",
        "answers": {"submitted": submitted, "missing": missing},
        "reason": None,
        "message": (
            f"Submitted: {', '.join(submitted)}. Something is still missing for: {', '.join(missing)}."
        ),
    }


def _thefts(world, p):
    """The thefts of that evening, whether each is complete."""
    return world.initial.query(
        "SELECT cl.id, b.make || ' ' || b.model AS name, cl.police_number IS NOT NULL AND EXISTS ("
        "SELECT 1 FROM handed_in_keys k WHERE k.claim_id = cl.id AND k.quality = 'original'"
        " GROUP BY k.lock_id HAVING count(*) >= 2) AS complete FROM claims cl JOIN covers co ON co.id = cl.cover_id"
        " JOIN bicycles b ON b.id = co.bicycle_id WHERE cl.member_id = 1 AND cl.kind = 'theft'"
        " AND cl.status = 'reported' AND substr(cl.happened_at, 1, 10) = ? ORDER BY cl.id",
        [p["day"]],
    )


def goal_submits_every_complete_claim(world, p):
    """Every theft of that evening with a police number and 2 original keys of one lock is submitted."""
    for theft in _thefts(world, p):
        if theft["complete"]:
            row = world.final.one("SELECT status, submitted_at FROM claims WHERE id = ?", [theft["id"]])
            if row["status"] != "submitted" or row["submitted_at"] is None:
                return False
    return True


def goal_says_which_are_submitted(world, p):
    """Says for which bicycles the claims were submitted."""
    return world.report.says("submitted", [t["name"] for t in _thefts(world, p) if t["complete"]])


def goal_says_for_which_something_is_missing(world, p):
    """Says for which bicycles something is still missing."""
    return world.report.says("missing", [t["name"] for t in _thefts(world, p) if not t["complete"]])


def guard_submits_nothing_else(world, p):
    """Changed nothing but the status of complete claims of that evening and when they were submitted."""
    complete = [t["id"] for t in _thefts(world, p) if t["complete"]]
    for change in world.changes:
        before, after = change["before"], change["after"]
        if change["table"] != "claims" or before is None or after is None or before["id"] not in complete:
            return False
        if after["status"] != "submitted":
            return False
        if any(after[c] != before[c] for c in before if c not in ("status", "submitted_at")):
            return False
    return True


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")
