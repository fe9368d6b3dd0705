import datetime

RULE = "theft_reported_within_48_hours"
PLACES = ("Janskerkhof", "Neude", "Ledig Erf", "Vredenburg", "Wilhelminapark", "Mariaplaats", "Griftpark", "Biltstraat")
LOCKS = (("ring", "ring lock"), ("chain", "chain lock"), ("folding", "folding lock"), ("u_lock", "U-lock"))


def _spoken(moment):
    return f"{moment.hour}.{moment.minute:02d}"


def instances(world, rng):
    """A covered bicycle and a theft in the last days, discovered less or a little more than two days ago."""
    now = datetime.datetime.fromisoformat(world.clock)
    rows = world.query(
        "SELECT b.id AS bicycle, b.make || ' ' || b.model AS name, l.make AS lock_make, l.kind AS lock_kind, l.id AS lock"
        " FROM bicycles b JOIN policies p ON p.id = b.policy_id JOIN locks l ON l.bicycle_id = b.id"
        " WHERE p.member_id = 1 AND EXISTS (SELECT 1 FROM covers c WHERE c.bicycle_id = b.id AND c.kind = b.kind"
        " AND (c.ends_on IS NULL OR c.ends_on >= ?)) AND NOT EXISTS (SELECT 1 FROM claims x"
        " JOIN covers y ON y.id = x.cover_id WHERE y.bicycle_id = b.id AND (x.kind = 'theft'"
        " OR (x.brought_in_on IS NOT NULL AND x.repair_ready_on IS NULL))) ORDER BY l.id",
        [world.clock[:10]],
    )
    while rows:
        row = rng.choice(rows)
        late = rng.random() < 0.3
        hours = rng.randint(50, 96) if late else rng.randint(2, 46)
        found = (now - datetime.timedelta(hours=hours)).replace(minute=rng.choice((0, 5, 10, 15, 30, 40)), second=0)
        taken = (found - datetime.timedelta(hours=rng.randint(1, 20))).replace(minute=rng.choice((0, 10, 20, 30, 45)))
        if not 6 <= found.hour <= 23 or taken >= found or taken.hour < 7:
            continue
        same = taken.date() == found.date()
        if late != (now - found > datetime.timedelta(hours=48)):
            continue
        instance = {
            "p": {
                "bicycle": row["name"],
                "place": rng.choice(PLACES),
                "taken": taken.date().isoformat(),
                "taken_at": _spoken(taken),
                "found": ("the same day at " if same else "the next day at ") + _spoken(found),
                "lock": row["lock_make"] + " " + dict(LOCKS)[row["lock_kind"]],
                "bicycle_key": row["bicycle"],
                "lock_key": row["lock"],
                "late": late,
            }
        }
        if late:
            instance["kind"] = "refusal"
            instance["rule"] = RULE
        yield instance


def _moment(day, spoken):
    hour, minute = spoken.split(".")
    return f"{day}T{int(hour):02d}:{minute}:00"


def _found(p):
    day = datetime.date.fromisoformat(p["taken"])
    if p["found"].startswith("the next day"):
        day += datetime.timedelta(days=1)
    return _moment(day.isoformat(), p["found"].split(" at ")[1])


def solve(tools, p):
    bicycle = next(
        b
        for b in tools.list_bicycles(covered_only=True)["bicycles"]
        if f"{b['make']} {b['model']}" == p["bicycle"]
    )
    found = tools.get_bicycle(bicycle_id=bicycle["id"])
    cover = next(
        c
        for c in found["covers"]
        if c["kind"] == bicycle["kind"]
        and c["starts_on"] <= p["taken"]
        and (c["ends_on"] is None or c["ends_on"] >= p["taken"])
    )
    lock = next(l for l in found["locks"] if l["make"] + " " + dict(LOCKS)[l["kind"]] == p["lock"])
    tools.search_claims(kind="theft", bicycle_id=bicycle["id"])
    try:
        claim = tools.report_theft(
            cover_id=cover["id"],
            happened_at=_moment(p["taken"], p["taken_at"]),
            discovered_at=_found(p),
            place=p["place"],
            description=f"{p['bicycle']} taken from {p['place']}",
        )
    except tools.Error:
        return {
            "outcome": "refused",
            "answers": {"own_risk": None},
            "reason": RULE,
            "message": (
                "That cannot be done: a theft claim can be reported only within 48 hours of the moment at which the"
                " theft was discovered."
            ),
        }
    for _ in range(2):
        tools.hand_in_key(claim_id=claim["id"], lock_id=lock["id"], quality="original", way="post")
    return {
        "outcome": "done",
        "answers": {"own_risk": claim["own_risk_cents"]},
        "reason": None,
        "message": (
            f"The theft of the {p['bicycle']} is reported and both original keys are down as sent by post; the own risk"
            f" is {claim['own_risk_cents'] // 100} euros."
        ),
    }


def _risk(world, p):
    row = world.initial.one(
        "SELECT b.first_sold_on AS sold, m.old_fund AS fund, (SELECT count(*) FROM addresses h WHERE h.member_id = m.id"
        " AND h.kind = 'home' AND h.starts_on <= ?) AS homes FROM bicycles b JOIN policies p ON p.id = b.policy_id"
        " JOIN members m ON m.id = p.member_id WHERE b.id = ?",
        [p["taken"], p["bicycle_key"]],
    )
    sold, loss = datetime.date.fromisoformat(row["sold"]), datetime.date.fromisoformat(p["taken"])
    age = loss.year - sold.year - ((loss.month, loss.day) < (sold.month, sold.day))
    if age < 3:
        return 3500
    if age < 5:
        return 6000
    return 5000 if row["fund"] == "lombok" and row["homes"] <= 1 else 8500


def _new(world, table):
    return [c["after"] for c in world.changes if c["table"] == table and c["before"] is None]


def goal_theft_is_reported_or_declined(world, p):
    """One theft claim is reported with its moments, or it is declined by the rule of 48 hours."""
    if p["late"]:
        return world.report.outcome == "refused" and world.report.reason == RULE
    claims = _new(world, "claims")
    cover = world.initial.one(
        "SELECT c.id AS own_cover FROM covers c JOIN bicycles b ON b.id = c.bicycle_id WHERE b.id = ? AND c.kind = b.kind"
        " AND c.starts_on <= ? AND (c.ends_on IS NULL OR c.ends_on >= ?)",
        [p["bicycle_key"], p["taken"], p["taken"]],
    )
    return (
        len(claims) == 1
        and claims[0]["member_id"] == 1
        and claims[0]["cover_id"] == cover["own_cover"]
        and claims[0]["kind"] == "theft"
        and claims[0]["status"] == "reported"
        and claims[0]["happened_at"] == _moment(p["taken"], p["taken_at"])
        and claims[0]["discovered_at"] == _found(p)
        and p["place"].lower() in claims[0]["place"].lower()
        and claims[0]["police_number"] is None
        and claims[0]["own_risk_cents"] == _risk(world, p)
    )


def goal_both_keys_are_down(world, p):
    """Two original keys of that lock are down as sent by post, and none if it is declined."""
    if p["late"]:
        return world.report.outcome == "refused" and _new(world, "handed_in_keys") == []
    claims, keys = _new(world, "claims"), _new(world, "handed_in_keys")
    return (
        len(claims) == 1
        and len(keys) == 2
        and all(
            key["claim_id"] == claims[0]["id"]
            and key["lock_id"] == p["lock_key"]
            and key["quality"] == "original"
            and key["way"] == "post"
            for key in keys
        )
    )


def goal_says_the_own_risk(world, p):
    """Says the own risk, and none if it is declined."""
    return world.report.says("own_risk", None if p["late"] else _risk(world, p))


def guard_adds_one_claim_and_two_keys_at_most(world, p):
    """Changed nothing but one new theft claim and two keys for it, and nothing if it is declined."""
    if p["late"]:
        return world.changes == []
    claims, keys = _new(world, "claims"), _new(world, "handed_in_keys")
    if len(claims) > 1 or len(keys) > 2 or len(claims) + len(keys) != len(world.changes):
        return False
    ids = [claim["id"] for claim in claims]
    return all(claim["member_id"] == 1 and claim["kind"] == "theft" for claim in claims) and all(
        key["claim_id"] in ids for key in keys
    )


def guard_reports_what_is_so(world, p):
    """Reports it as done, or as refused with the rule where more than 48 hours have passed."""
    if p["late"]:
        return world.report.outcome is None or (world.report.outcome == "refused" and world.report.reason == RULE)
    return world.report.outcome in (None, "done")
