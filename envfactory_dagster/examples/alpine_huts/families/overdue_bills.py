import datetime

SORTS = (
    (None, "everything of mine that is overdue"),
    ("membership", "the membership fees that are overdue"),
    ("postage", "the postage that is overdue"),
    ("tour", "the guided tours that are overdue"),
)
MEANS = (("direct_debit", "by direct debit"), ("credit_card", "with a credit card that is still valid"))
BILLS = (
    ("membership", "Adult membership of a friend", 6200),
    ("membership", "Senior membership of a friend", 4800),
    ("postage", "Postage from the hut", 690),
    ("postage", "Postage abroad", 1480),
    ("tour", "Guided tour, one place", 2900),
    ("tour", "Guided tour, two places", 7800),
)


def _later(day, days):
    return (datetime.date.fromisoformat(day) + datetime.timedelta(days=days)).isoformat()


def _overdue(database, kind, today):
    return database.query(
        "SELECT id, amount_cents FROM charges WHERE person_id = 1 AND status = 'open' AND due_on < :today"
        " AND (:kind IS NULL OR kind = :kind) ORDER BY id",
        {"kind": kind, "today": today},
    )


def instances(world, rng):
    """Bills of several sorts, some of them overdue, some due today or later."""
    today = world.clock[:10]
    last = world.one("SELECT max(id) AS id FROM charges")["id"]
    while True:
        kind, what = rng.choice(SORTS)
        means, how = rng.choice(MEANS)
        charges = []
        for number in range(rng.randint(3, 6)):
            sort, description, cents = rng.choice(BILLS)
            due = _later(today, rng.choice([-40, -21, -9, -3, -1, 0, 2, 12]))
            charges.append(
                {
                    "id": last + 1 + number,
                    "person_id": 1,
                    "kind": sort,
                    "description": f"{description}, due on {due}",
                    "amount_cents": cents,
                    "due_on": due,
                    "status": "open",
                }
            )
        late = [one for one in charges if one["due_on"] < today]
        if len([one for one in late if kind in (None, one["kind"])]) < 1 or len(late) == len(charges):
            continue
        yield {
            "p": {"what": what, "means": how, "kind": kind, "method": means, "today": today},
            "given": {"charges": charges},
        }


def solve(tools, p):
    kind = next(kind for kind, what in SORTS if what == p["what"])
    means = next(means for means, how in MEANS if how == p["means"])
    sort = {} if kind is None else {"kind": kind}
    late = tools.list_charges(overdue_only=True, **sort)
    methods = tools.list_payment_methods()["payment_methods"]
    method = next(one for one in methods if one["kind"] == means and not one["expired"])
    bills = [charge["charge_id"] for charge in late["charges"]]
    payment = tools.pay_charges(charge_ids=bills, payment_method_id=method["payment_method_id"])
    tools.confirm_payment(payment_code=payment["payment_code"])
    return {
        "outcome": "done",
        "answers": {"bills": len(bills), "total": payment["amount_cents"]},
        "reason": None,
        "message": f"I have paid {len(bills)} bills, {payment['amount_cents'] / 100:.2f} euros in all.",
    }


def goal_pays_all_of_them(world, p):
    """Has paid every overdue bill of the sort, by confirmed payments of the right means."""
    for charge in _overdue(world.initial, p["kind"], p["today"]):
        row = world.final.one(
            "SELECT c.status, p.status AS payment, m.kind, m.valid_until FROM charges c JOIN payments p"
            " ON p.id = c.payment_id JOIN payment_methods m ON m.id = p.payment_method_id WHERE c.id = ?",
            [charge["id"]],
        )
        if row is None or (row["status"], row["payment"], row["kind"]) != ("paid", "confirmed", p["method"]):
            return False
        if row["valid_until"] is not None and row["valid_until"] < p["today"]:
            return False
    return True


def goal_says_how_many(world, p):
    """Says how many bills were overdue."""
    return world.report.says("bills", len(_overdue(world.initial, p["kind"], p["today"])))


def goal_says_the_total(world, p):
    """Says what they came to."""
    return world.report.says(
        "total", sum(one["amount_cents"] for one in _overdue(world.initial, p["kind"], p["today"]))
    )


def guard_pays_nothing_else(world, p):
    """Changed nothing but the status of these bills, and new payments of the user that come to their sum at most."""
    late = {one["id"]: one["amount_cents"] for one in _overdue(world.initial, p["kind"], p["today"])}
    paid = 0
    for change in world.changes:
        before, after = change["before"], change["after"]
        if change["table"] == "payments":
            if before is not None or after["person_id"] != 1:
                return False
            paid += after["amount_cents"]
        elif change["table"] == "charges":
            if before is None or after is None or before["id"] not in late:
                return False
            if any(before[name] != after[name] for name in before if name not in ("status", "payment_id")):
                return False
        else:
            return False
    return paid <= sum(late.values())


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")
