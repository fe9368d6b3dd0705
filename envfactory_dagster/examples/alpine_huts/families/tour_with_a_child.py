import datetime

CHILDREN = (
    "Emma Schrott",
    "Lukas Plattner",
    "Mila Janković",
    "Noah Reiter",
    "Greta Falkner",
    "Samuel Ortner",
    "Ayla Demir",
    "Theo Winkler",
)
MOST_OVERDUE = 10_000


def _later(day, days):
    return (datetime.date.fromisoformat(day) + datetime.timedelta(days=days)).isoformat()


def _age(birth, day):
    return int(day[:4]) - int(birth[:4]) - (day[5:] < birth[5:])


def instances(world, rng):
    """A date with two free places, and a child about as old as one has to be; whether somebody owes too much varies."""
    dates = world.query(
        """
        SELECT d.id, substr(d.starts_at, 1, 10) AS day, t.title, t.min_age, t.price_cents
        FROM tour_dates d JOIN tours t ON t.id = d.tour_id
        WHERE d.status = 'scheduled' AND substr(d.starts_at, 1, 10) > substr(:now, 1, 10)
          AND d.places >= 2 + (
              SELECT count(*) FROM tour_signups s WHERE s.tour_date_id = d.id AND s.status = 'signed_up'
          )
          AND NOT EXISTS (SELECT 1 FROM tour_signups s WHERE s.tour_date_id = d.id AND s.person_id = 1)
        ORDER BY d.id
        """,
        {"now": world.clock},
    )
    today = world.clock[:10]
    owed = world.one(
        "SELECT coalesce(sum(amount_cents), 0) AS cents FROM charges"
        " WHERE person_id = 1 AND status = 'open' AND due_on < ?",
        [today],
    )["cents"]
    last = world.one(
        "SELECT (SELECT max(id) FROM people) AS person, (SELECT max(id) FROM companions) AS companion,"
        " (SELECT max(id) FROM charges) AS charge"
    )
    while True:
        date = rng.choice(dates)
        birthday = _later(date["day"], rng.choice([-60, -20, -3, -1, 0, 1, 4, 30, 90]))
        years = date["min_age"] + rng.choice([-1, 0, 0, 1])
        if birthday[5:] == "02-29":
            continue
        birth = f"{int(birthday[:4]) - years}{birthday[4:]}"
        is_old_enough = _age(birth, date["day"]) >= date["min_age"]
        owes = owed
        given = {
            "people": [{"id": last["person"] + 1, "full_name": rng.choice(CHILDREN), "birth_date": birth}],
            "companions": [
                {"id": last["companion"] + 1, "member_id": 1, "person_id": last["person"] + 1, "relation": "relative"}
            ],
        }
        if rng.random() < 0.35:
            cents = rng.choice([2900, 6200, 10100, 11800])
            owes += cents
            given["charges"] = [
                {
                    "id": last["charge"] + 1,
                    "person_id": 1,
                    "kind": "tour",
                    "description": "Guided tours of last season",
                    "amount_cents": cents,
                    "due_on": _later(today, -rng.randint(1, 40)),
                    "status": "open",
                }
            ]
        is_debtor = owes > MOST_OVERDUE
        if is_debtor and not is_old_enough:
            continue  # two rules would forbid it
        rule = "overdue_balance" if is_debtor else None if is_old_enough else "minors_with_guardian"
        yield {
            "kind": "refusal" if rule else "action",
            "rule": rule,
            "p": {
                "child": given["people"][0]["full_name"],
                "tour": date["title"],
                "day": date["day"],
                "date": date["id"],
                "people": [1, last["person"] + 1],
                "price": 2 * date["price_cents"],
                "refusal": rule,
            },
            "given": given,
        }


def solve(tools, p):
    people = tools.list_companions()["companions"]
    child = next(person for person in people if person["full_name"] == p["child"])
    me = tools.get_my_profile()
    found = tools.search_tours(first_day=p["day"], last_day=p["day"], min_free_places=2)["tour_dates"]
    date = next(one for one in found if one["title"] == p["tour"])
    if _age(child["birth_date"], p["day"]) < date["min_age"]:
        rule, why = "minors_with_guardian", f"one has to be {date['min_age']} on the day of the tour."
    elif me["overdue_cents"] > MOST_OVERDUE:
        rule, why = "overdue_balance", "you owe the club too much that is past its due date."
    else:
        places = tools.sign_up_for_tour(
            tour_date_id=date["tour_date_id"], person_ids=[me["person_id"], child["person_id"]]
        )
        return {
            "outcome": "done",
            "answers": {"price": places["total_cents"]},
            "reason": None,
            "message": f"You are both signed up; it costs {places['total_cents'] / 100:.2f} euros.",
        }
    return {
        "outcome": "refused",
        "answers": {"price": None},
        "reason": rule,
        "message": f"Nobody is signed up: {why}",
    }


def goal_comes_to_the_right_end(world, p):
    """Has signed up both, the grown-up as the child's guardian; where a rule forbids it, says so."""
    if p["refusal"]:
        return (world.report.outcome, world.report.reason) == ("refused", p["refusal"])
    rows = world.final.query(
        "SELECT person_id, signed_up_by, guardian_id FROM tour_signups"
        " WHERE tour_date_id = ? AND status = 'signed_up' AND signed_up_by = 1 ORDER BY person_id",
        [p["date"]],
    )
    return [tuple(row.values()) for row in rows] == [(1, 1, None), (p["people"][1], 1, 1)]


def goal_says_the_price(world, p):
    """Says what both places cost; nothing where they cannot be had."""
    return world.report.says("price", None if p["refusal"] else p["price"])


def guard_signs_up_these_two_only(world, p):
    """Changed nothing but one new place for each of the two with its charge; nothing where a rule forbids it."""
    if p["refusal"]:
        return world.changes == []
    people = list(p["people"])
    charges = 2
    for change in world.changes:
        after = change["after"]
        if change["before"] is not None:
            return False
        if change["table"] == "tour_signups":
            if after["tour_date_id"] != p["date"] or after["person_id"] not in people:
                return False
            people.remove(after["person_id"])
        elif change["table"] == "charges":
            charges -= 1
            owed = (after["person_id"], after["kind"], after["amount_cents"], after["status"])
            if owed != (1, "tour", p["price"] // 2, "open") or after["due_on"] != p["day"] or charges < 0:
                return False
        else:
            return False
    return True


def guard_reports_the_outcome(world, p):
    """Reports what came of it."""
    wanted = ("refused", p["refusal"]) if p["refusal"] else ("done", None)
    return world.report.outcome is None or (world.report.outcome, world.report.reason) == wanted
