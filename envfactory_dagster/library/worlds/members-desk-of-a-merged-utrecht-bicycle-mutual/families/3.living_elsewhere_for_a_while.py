import datetime

RULE = "temporary_address_at_most_183_days"
REASONS = (
    "They are repairing the foundations of our house",
    "There is water damage in our house",
    "Our block is being renovated",
    "Our kitchen and bathroom are being rebuilt",
    "The roof is being taken off our house",
)
STREETS = (
    ("Ivoordreef", "3561 XP"),
    ("Amerikalaan", "3526 BD"),
    ("Troosterlaan", "3571 NN"),
    ("Koekoeksplein", "3514 VW"),
    ("Rijnlaan", "3522 BH"),
    ("Vondellaan", "3521 GG"),
    ("Weg naar Rhijnauwen", "3584 AD"),
    ("Thomas a Kempisweg", "3533 AX"),
)


def _risk(sold, day, fund, homes):
    first, loss = datetime.date.fromisoformat(sold), datetime.date.fromisoformat(day)
    age = loss.year - first.year - ((loss.month, loss.day) < (first.month, first.day))
    if age < 3:
        return 3500
    if age < 5:
        return 6000
    return 5000 if fund == "lombok" and homes <= 1 else 8500


def instances(world, rng):
    """A stay of some months that fits, one that is too long, or a second one in the same year."""
    today = datetime.date.fromisoformat(world.clock[:10])
    user = world.one(
        "SELECT m.old_fund AS fund, count(a.id) AS homes FROM addresses a JOIN members m ON m.id = a.member_id"
        " WHERE m.id = 1 AND a.kind = 'home' GROUP BY m.old_fund"
    )
    bicycles = world.query(
        "SELECT b.make || ' ' || b.model AS name, b.first_sold_on AS sold FROM policies p JOIN bicycles b"
        " ON b.policy_id = p.id JOIN covers c ON c.bicycle_id = b.id WHERE p.member_id = 1 AND c.kind = b.kind"
        " AND c.ends_on IS NULL AND NOT EXISTS (SELECT 1 FROM claims x WHERE x.cover_id = c.id AND x.kind = 'theft')"
        " ORDER BY b.model, b.id"
    )
    filed = world.one(
        "SELECT count(*) AS this_year FROM addresses a WHERE a.member_id = 1 AND a.kind = 'temporary'"
        " AND substr(a.filed_at, 1, 4) = ?",
        [world.clock[:4]],
    )["this_year"]
    fresh = world.one("SELECT max(a.id) + 1 AS fresh_address FROM addresses a")["fresh_address"]
    if filed:
        return
    while True:
        case = rng.choice(("fits", "fits", "fits", "edge", "long", "just over", "second"))
        days = {"edge": 183, "just over": 184}.get(case) or rng.randint(190, 240) if case != "fits" else 0
        if case in ("fits", "second"):
            days = rng.randint(50, 175)
        first = today + datetime.timedelta(days=rng.randint(14, 120))
        last = first + datetime.timedelta(days=days - 1)
        bicycle = rng.choice(bicycles)
        risk = _risk(bicycle["sold"], first.isoformat(), user["fund"], user["homes"])
        if risk != _risk(bicycle["sold"], last.isoformat(), user["fund"], user["homes"]):
            continue
        street, postcode = rng.choice(STREETS)
        number = str(rng.randint(3, 190))
        given = {}
        earlier_year = today.year if case == "second" else today.year - 1
        if case == "second" or rng.random() < 0.4:
            began = datetime.date(earlier_year, 1, rng.randint(12, 28))
            ended = began + datetime.timedelta(days=rng.randint(20, 45))
            other_street, other_postcode = rng.choice([entry for entry in STREETS if entry[0] != street])
            given = {
                "addresses": [
                    {
                        "id": fresh,
                        "member_id": 1,
                        "kind": "temporary",
                        "street": other_street,
                        "house_number": str(rng.randint(3, 190)),
                        "postcode": other_postcode,
                        "city": "Utrecht",
                        "starts_on": began.isoformat(),
                        "ends_on": ended.isoformat(),
                        "filed_at": began.replace(day=began.day - 7).isoformat() + "T15:10:00",
                    }
                ]
            }
        refused = case in ("long", "just over", "second")
        instance = {
            "p": {
                "reason": rng.choice(REASONS),
                "first": first.isoformat(),
                "last": last.isoformat(),
                "street": street,
                "number": number,
                "postcode": postcode,
                "bicycle": bicycle["name"],
                "refused": refused,
            }
        }
        if given:
            instance["given"] = given
        if refused:
            instance["kind"] = "refusal"
            instance["rule"] = RULE
        yield instance


def solve(tools, p):
    fund = tools.get_membership()["member"]["old_fund"]
    homes = [a for a in tools.list_addresses(kind="home")["addresses"] if a["starts_on"] <= p["first"]]
    bicycle = next(
        b for b in tools.list_bicycles(covered_only=True)["bicycles"] if f"{b['make']} {b['model']}" == p["bicycle"]
    )
    try:
        tools.file_temporary_address(
            street=p["street"],
            house_number=p["number"],
            postcode=p["postcode"],
            city="Utrecht",
            starts_on=p["first"],
            ends_on=p["last"],
        )
    except tools.Error:
        return {
            "outcome": "refused",
            "answers": {"own_risk": None},
            "reason": RULE,
            "message": (
                "That cannot be done: a temporary address can be filed for at most 183 days and only 1 time in a"
                " calendar year."
            ),
        }
    risk = _risk(bicycle["first_sold_on"], p["first"], fund, len(homes))
    return {
        "outcome": "done",
        "answers": {"own_risk": risk},
        "reason": None,
        "message": (
            f"{p['street']} {p['number']} is down as your temporary address; the own risk on the {p['bicycle']} is"
            f" {risk // 100} euros while you are there."
        ),
    }


def goal_address_is_down_or_declined(world, p):
    """One temporary address with these days is down, or it is declined by the rule."""
    if p["refused"]:
        return world.report.outcome == "refused" and world.report.reason == RULE
    row = world.final.one(
        "SELECT count(*) AS n FROM addresses a WHERE a.member_id = 1 AND a.kind = 'temporary'"
        " AND same_text(a.street, ?) AND a.house_number = ? AND a.postcode = ? AND same_text(a.city, 'Utrecht')"
        " AND a.starts_on = ? AND a.ends_on = ?",
        [p["street"], p["number"], p["postcode"], p["first"], p["last"]],
    )
    return row["n"] == 1


def goal_says_the_own_risk(world, p):
    """Says the own risk while they live there, and none if it is declined."""
    if p["refused"]:
        return world.report.says("own_risk", None)
    row = world.initial.one(
        "SELECT b.first_sold_on AS sold, m.old_fund AS fund, (SELECT count(*) FROM addresses h WHERE h.member_id = 1"
        " AND h.kind = 'home') AS homes FROM bicycles b JOIN policies q ON q.id = b.policy_id JOIN members m"
        " ON m.id = q.member_id WHERE m.id = 1 AND b.make || ' ' || b.model = ?",
        [p["bicycle"]],
    )
    return world.report.says("own_risk", _risk(row["sold"], p["first"], row["fund"], row["homes"]))


def guard_adds_one_temporary_address_at_most(world, p):
    """Changed nothing but one new temporary address of the member, and nothing if it is declined."""
    if p["refused"]:
        return world.changes == []
    return len(world.changes) <= 1 and all(
        c["table"] == "addresses"
        and c["before"] is None
        and c["after"]["member_id"] == 1
        and c["after"]["kind"] == "temporary"
        for c in world.changes
    )


def guard_reports_what_is_so(world, p):
    """Reports it as done, or as refused with the rule."""
    if p["refused"]:
        return world.report.outcome is None or (world.report.outcome == "refused" and world.report.reason == RULE)
    return world.report.outcome in (None, "done")
