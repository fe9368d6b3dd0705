import datetime

NAMES = (
    "Lena Achleitner",
    "Rupert Hinterholzer",
    "Samira Benali",
    "Jonas Feichtner",
    "Marta Kowalczyk",
    "Viktor Ambros",
    "Elin Sandberg",
    "Paul Reisinger",
)
COVERS = ((0, "with or without mountain rescue"), (1, "with mountain rescue"))
PAYMENTS = ((0, "Leave the fee on my bill."), (1, "Pay the fee by direct debit right away."))
LIMITS = (18, 26, 65)


def _later(day, days):
    return (datetime.date.fromisoformat(day) + datetime.timedelta(days=days)).isoformat()


def _age(birth, day):
    return int(day[:4]) - int(birth[:4]) - (day[5:] < birth[5:])


def _last_day(start):
    following = datetime.date(int(start[:4]) + 1, int(start[5:7]), int(start[8:]))
    return (following - datetime.timedelta(days=1)).isoformat()


def instances(world, rng):
    """A new companion who is close to an age at which another plan begins."""
    today = world.clock[:10]
    last = world.one("SELECT (SELECT max(id) FROM people) AS person, (SELECT max(id) FROM companions) AS companion")
    while True:
        start = _later(today, rng.randint(0, 60))
        limit = rng.choice(LIMITS)
        birthday = _later(start, rng.randint(-45, 45))
        if "02-29" in (start[5:], birthday[5:]):
            continue
        birth = f"{int(birthday[:4]) - limit}{birthday[4:]}"
        cover, words = rng.choice(COVERS)
        is_paid, payment = rng.choice(PAYMENTS)
        plans = world.query(
            "SELECT id, price_cents FROM membership_plans WHERE min_age <= :age AND coalesce(max_age, :age) >= :age"
            " AND rescue_cover >= :cover ORDER BY price_cents",
            {"age": _age(birth, start), "cover": cover},
        )
        if not plans or (len(plans) > 1 and plans[0]["price_cents"] == plans[1]["price_cents"]):
            continue
        person = {"id": last["person"] + 1, "full_name": rng.choice(NAMES), "birth_date": birth}
        yield {
            "p": {
                "name": person["full_name"],
                "start": start,
                "cover": words,
                "payment": payment,
                "person": person["id"],
                "plan": plans[0]["id"],
                "fee": plans[0]["price_cents"],
                "is_paid": is_paid,
            },
            "given": {
                "people": [person],
                "companions": [
                    {
                        "id": last["companion"] + 1,
                        "member_id": 1,
                        "person_id": person["id"],
                        "relation": "friend",
                    }
                ],
            },
        }


def solve(tools, p):
    cover = next(cover for cover, words in COVERS if words == p["cover"])
    is_paid = next(is_paid for is_paid, words in PAYMENTS if words == p["payment"])
    people = tools.list_companions()["companions"]
    friend = next(person for person in people if person["full_name"] == p["name"])
    plans = tools.list_membership_plans(age=_age(friend["birth_date"], p["start"]))["plans"]
    cheapest = min((plan for plan in plans if plan["rescue_cover"] >= cover), key=lambda plan: plan["price_cents"])
    bought = tools.buy_membership(person_id=friend["person_id"], plan_id=cheapest["plan_id"], starts_on=p["start"])
    if is_paid:
        methods = tools.list_payment_methods()["payment_methods"]
        method = next(one for one in methods if one["kind"] == "direct_debit")
        payment = tools.pay_charges(charge_ids=[bought["charge_id"]], payment_method_id=method["payment_method_id"])
        tools.confirm_payment(payment_code=payment["payment_code"])
    fee, last_day = bought["price_cents"], bought["valid_until"]
    return {
        "outcome": "done",
        "answers": {"fee": fee, "last_day": last_day},
        "reason": None,
        "message": f"{p['name']} is a member until {last_day}; the fee is {fee / 100:.2f} euros.",
    }


def goal_is_a_member(world, p):
    """Has made this person a member on the right plan, from the right day."""
    rows = world.final.query(
        "SELECT plan_id, valid_from, valid_until FROM memberships WHERE person_id = ?", [p["person"]]
    )
    return [tuple(row.values()) for row in rows] == [(p["plan"], p["start"], _last_day(p["start"]))]


def goal_the_fee_is_paid_or_left(world, p):
    """Has left the fee on the bill, or paid it by direct debit, as was asked."""
    known = [row["id"] for row in world.initial.query("SELECT id FROM charges")]
    new = world.final.query(
        "SELECT c.id, c.status, c.kind, c.amount_cents, m.kind AS method, p.status AS payment FROM charges c"
        " LEFT JOIN payments p ON p.id = c.payment_id LEFT JOIN payment_methods m ON m.id = p.payment_method_id"
    )
    fees = [tuple(row.values())[1:] for row in new if row["id"] not in known]
    if p["is_paid"]:
        return fees == [("paid", "membership", p["fee"], "direct_debit", "confirmed")]
    return fees == [("open", "membership", p["fee"], None, None)]


def goal_says_the_fee(world, p):
    """Says what it costs."""
    return world.report.says("fee", p["fee"])


def goal_says_the_last_day(world, p):
    """Says until when it runs."""
    return world.report.says("last_day", _last_day(p["start"]))


def guard_adds_one_membership_only(world, p):
    """Changed nothing but one new membership of this person, its fee, and where it was asked for one payment of it."""
    most = {"memberships": 1, "charges": 1, "payments": 1 if p["is_paid"] else 0}
    for change in world.changes:
        after = change["after"]
        if change["before"] is not None or after is None or most.get(change["table"], 0) == 0:
            return False
        most[change["table"]] -= 1
        if after["person_id"] != (p["person"] if change["table"] == "memberships" else 1):
            return False
        if change["table"] != "memberships" and after["amount_cents"] != p["fee"]:
            return False
    return True


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")
