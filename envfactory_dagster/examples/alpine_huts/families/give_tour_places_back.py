import datetime

NAMES = (
    ("Anton Egger", "Lilli Egger"),
    ("Franziska Moser", "Jonah Moser"),
    ("Pavel Horák", "Tereza Horáková"),
    ("Ines Gruber", "Valentin Gruber"),
)


def _hours_later(moment, hours):
    return (datetime.datetime.fromisoformat(moment) + datetime.timedelta(hours=hours)).isoformat()


def instances(world, rng):
    """A date of a tour, sometimes less than a day away, on which a party with or without children has its places."""
    tours = world.query("SELECT id, title, price_cents FROM tours ORDER BY id")
    guides = world.query("SELECT id FROM guides ORDER BY id")
    method = world.one("SELECT max(id) AS id FROM payment_methods WHERE person_id = 1")["id"]
    last = world.one(
        "SELECT (SELECT max(id) FROM tour_dates) AS date, (SELECT max(id) FROM people) AS person,"
        " (SELECT max(id) FROM companions) AS companion, (SELECT max(id) FROM tour_signups) AS signup,"
        " (SELECT max(id) FROM charges) AS charge, (SELECT max(id) FROM payments) AS payment"
    )
    while True:
        tour = rng.choice(tours)
        hours = rng.choice([8, 13, 20, 30, 50, 75, 120, 200, 260])
        starts_at = f"{_hours_later(world.clock, hours)[:13]}:30:00"
        guide = rng.choice(guides)["id"]
        taken = world.one(
            "SELECT count(*) AS n FROM tour_dates WHERE (tour_id = :tour OR guide_id = :guide)"
            " AND substr(starts_at, 1, 10) = substr(:day, 1, 10)",
            {"tour": tour["id"], "guide": guide, "day": starts_at},
        )
        if taken["n"] or starts_at[:10] == world.clock[:10]:
            continue
        grown_up, child = rng.choice(NAMES)
        date, person = last["date"] + 1, last["person"] + 1
        # who comes: the user with a child of friends, the grown-up friend with the child, all three, or two grown-ups
        party = rng.choice([(1, "child"), (1, "friend"), ("friend", "child"), (1, "friend", "child")])
        ids = {1: 1, "friend": person, "child": person + 1}
        guardian = 1 if 1 in party else person
        signups, charges, payments = [], [], []
        for turn, who in enumerate(rng.sample(party, len(party))):
            is_paid = rng.random() < 0.6
            signup = last["signup"] + 1 + turn
            signups.append(
                {
                    "id": signup,
                    "tour_date_id": date,
                    "person_id": ids[who],
                    "signed_up_by": 1,
                    "guardian_id": guardian if who == "child" else None,
                    "status": "signed_up",
                }
            )
            if is_paid:
                payments.append(
                    {
                        "id": last["payment"] + 1 + turn,
                        "code": f"PAY-{50000 + last['payment'] + turn:05d}",
                        "person_id": 1,
                        "payment_method_id": method,
                        "amount_cents": tour["price_cents"],
                        "status": "confirmed",
                        "confirmed_at": _hours_later(world.clock, -90 - turn),
                    }
                )
            charges.append(
                {
                    "id": last["charge"] + 1 + turn,
                    "person_id": 1,
                    "kind": "tour",
                    "description": f"{tour['title']} on {starts_at[:10]}, place {turn + 1}",
                    "amount_cents": tour["price_cents"],
                    "due_on": starts_at[:10],
                    "status": "paid" if is_paid else "open",
                    "payment_id": payments[-1]["id"] if is_paid else None,
                    "tour_signup_id": signup,
                }
            )
        in_time = world.clock <= _hours_later(starts_at, -24)
        given = {
            "people": [
                {"id": person, "full_name": grown_up, "birth_date": "1985-04-11"},
                {"id": person + 1, "full_name": child, "birth_date": f"{int(world.clock[:4]) - 16}-05-02"},
            ],
            "companions": [
                {"id": last["companion"] + 1, "member_id": 1, "person_id": person, "relation": "friend"},
                {"id": last["companion"] + 2, "member_id": 1, "person_id": person + 1, "relation": "friend"},
            ],
            "tour_dates": [
                {
                    "id": date,
                    "tour_id": tour["id"],
                    "guide_id": guide,
                    "starts_at": starts_at,
                    "places": 8,
                    "status": "scheduled",
                }
            ],
            "tour_signups": signups,
            "charges": charges,
        }
        if payments:
            given["payments"] = payments
        yield {
            "kind": "action" if in_time else "refusal",
            "rule": None if in_time else "cancellation_window",
            "p": {
                "tour": tour["title"],
                "day": starts_at[:10],
                "date": date,
                "in_time": in_time,
                "places": len(party),
                "money_back": tour["price_cents"] * len(payments),
            },
            "given": given,
        }


def solve(tools, p):
    mine = tools.list_my_tours(status="signed_up")["signups"]
    places = [one for one in mine if one["title"] == p["tour"] and one["starts_at"][:10] == p["day"]]
    back = 0
    for place in sorted(places, key=lambda one: one["guardian_id"] is None):
        try:
            back += tools.cancel_tour_signup(tour_signup_id=place["tour_signup_id"])["refunded_cents"]
        except tools.Error:
            return {
                "outcome": "refused",
                "answers": {"money_back": None, "places": None},
                "reason": "cancellation_window",
                "message": f"{p['tour']} starts in less than a day; no place can be given back any more.",
            }
    return {
        "outcome": "done",
        "answers": {"money_back": back, "places": len(places)},
        "reason": None,
        "message": f"I have given back {len(places)} places; {back / 100:.2f} euros come back to you.",
    }


def goal_comes_to_the_right_end(world, p):
    """Has given every place back in time, and otherwise said that it is too late."""
    if not p["in_time"]:
        return (world.report.outcome, world.report.reason) == ("refused", "cancellation_window")
    rows = world.final.query("SELECT status FROM tour_signups WHERE tour_date_id = ? AND signed_up_by = 1", [p["date"]])
    return [row["status"] for row in rows] == ["cancelled"] * p["places"]


def goal_says_what_comes_back(world, p):
    """Says how much money comes back."""
    return world.report.says("money_back", p["money_back"] if p["in_time"] else None)


def goal_says_how_many_places(world, p):
    """Says how many places were given back."""
    return world.report.says("places", p["places"] if p["in_time"] else None)


def guard_touches_only_these_places(world, p):
    """Changed nothing but these places with their charges and refunds; nothing at all where it is too late."""
    if not p["in_time"]:
        return world.changes == []
    places = [
        row["id"] for row in world.initial.query("SELECT id FROM tour_signups WHERE tour_date_id = ?", [p["date"]])
    ]
    charges = {
        row["id"]: row
        for row in world.initial.query("SELECT * FROM charges WHERE tour_signup_id IS NOT NULL")
        if row["tour_signup_id"] in places
    }
    for change in world.changes:
        table, before, after = change["table"], change["before"], change["after"]
        if table == "refunds":
            charge = charges.get(after["charge_id"]) if before is None else None
            if charge is None or after["amount_cents"] != charge["amount_cents"] or charge["status"] != "paid":
                return False
        elif before is None or after is None:
            return False
        elif table == "tour_signups":
            if before["id"] not in places or after != {**before, "status": "cancelled"}:
                return False
        elif table == "charges":
            status = "refunded" if before["status"] == "paid" else "void"
            if before["id"] not in charges or after != {**before, "status": status}:
                return False
        else:
            return False
    return True


def guard_reports_the_outcome(world, p):
    """Reports what came of it."""
    wanted = ("done", None) if p["in_time"] else ("refused", "cancellation_window")
    return world.report.outcome is None or (world.report.outcome, world.report.reason) == wanted
