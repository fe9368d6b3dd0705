import datetime

KINDS = (
    ("wax melter", "melter", 6000, ("Copper wax melter", "Wax melter on wheels"), "WM-5"),
    ("sublimator", "sublimator", 4000, ("Sublimator with two pans", "Small oxalic sublimator"), "SB-5"),
    ("uncapping tray", "uncapping_tray", 2500, ("Wooden uncapping tray", "Steel uncapping tray"), "UT-5"),
    ("refractometer", "refractometer", 2500, ("Digital refractometer", "Brass refractometer"), "RF-5"),
    ("hive scale", "hive_scale", 2500, ("Hanging hive scale", "Solar hive scale"), "HS-5"),
    ("swarm box", "swarm_box", 2500, ("Cardboard swarm box", "Swarm box with a handle"), "SW-5"),
)


def instances(world, rng):
    """Kinds of equipment in an order of preference, the first of them all lent out, now and then with debts."""
    today = datetime.date.fromisoformat(world.clock[:10])
    shelf = world.query(
        "SELECT e.id, e.kind, e.deposit_cents FROM equipment_items e LEFT JOIN loans l ON l.equipment_item_id = e.id"
        " AND l.status <> 'returned' WHERE e.status = 'in_service' AND l.id IS NULL ORDER BY e.id",
        [],
    )
    owed = world.one("SELECT SUM(amount_cents) AS cents FROM ledger_entries WHERE member_id = 1", [])["cents"]
    top = world.one(
        "SELECT (SELECT MAX(id) FROM loans) AS l, (SELECT MAX(id) FROM equipment_items) AS q,"
        " (SELECT MAX(id) FROM ledger_entries) AS g",
        [],
    )
    before = (today - datetime.timedelta(days=3)).isoformat()
    later = today + datetime.timedelta(days=9)
    while later.weekday() > 4:
        later += datetime.timedelta(days=1)
    for attempt in range(4000):
        order = rng.sample(KINDS, rng.randint(3, 5))
        place = rng.randint(1, len(order) - 1)
        case = rng.choice(("fine", "fine", "debt"))
        if case == "debt" and place < 2:
            continue
        items, loans, entries = [], [], []

        def _write(member_id, kind, cents, loan_id, moment):
            row = {
                "id": top["g"] + len(entries) + 1,
                "member_id": member_id,
                "kind": kind,
                "amount_cents": cents,
                "entered_at": moment,
            }
            if loan_id is not None:
                row["loan_id"] = loan_id
            entries.append(row)

        def _lend_out(item_id, cents):
            loan_id = top["l"] + len(loans) + 1
            minute = 10 + len(loans)
            _write(2, "payment", cents, None, before + "T08:%02d:00" % minute)
            loans.append(
                {
                    "id": loan_id,
                    "loan_no": "LN-4%04d" % len(loans),
                    "member_id": 2,
                    "equipment_item_id": item_id,
                    "lent_on": before,
                    "due_on": later.isoformat(),
                    "deposit_cents": cents,
                    "status": "out",
                }
            )
            _write(2, "deposit", -cents, loan_id, before + "T09:%02d:00" % minute)

        chosen = None
        for number, (words, kind, cents, names, tag) in enumerate(order[:place + 1]):
            there = [s for s in shelf if s["kind"] == kind]
            rng.shuffle(there)
            if number == place and there and rng.random() < 0.5:
                chosen = there.pop()
            for item in there:
                _lend_out(item["id"], item["deposit_cents"])
            for extra in range(1 if number == place and chosen is None else rng.randint(0, 1)):
                item = {
                    "id": top["q"] + len(items) + 1,
                    "tag": tag + "%d" % (number + 1),
                    "kind": kind,
                    "name": rng.choice(names),
                    "deposit_cents": cents,
                    "status": "in_service",
                }
                items.append(item)
                if number == place and chosen is None:
                    chosen = item
                else:
                    _lend_out(item["id"], cents)
        rule = None
        if case == "debt":
            _write(1, "storage", -(owed + 4000) - rng.randint(1, 1200), None, before + "T10:00:00")
            rule = "debt_limit"
        elif rng.random() < 0.7:
            _write(1, "payment", 50 * rng.randint(3, 160), None, before + "T10:00:00")
        due = today + datetime.timedelta(days=rng.randint(1, 28))
        if due.weekday() > 4:
            continue
        given = {"equipment_items": items, "loans": loans, "ledger_entries": entries}
        instance = {
            "p": {
                "kinds": [k[0] for k in order],
                "day": due.isoformat(),
                "item": chosen["id"],
                "deposit": chosen["deposit_cents"],
                "rule": rule,
            },
            "given": {name: rows for name, rows in given.items() if rows},
        }
        if rule is not None:
            instance["kind"] = "refusal"
            instance["rule"] = rule
        yield instance


def solve(tools, p):
    kinds = {k[0]: k[1] for k in KINDS}
    for words in p["kinds"]:
        there = tools.list_equipment(kind=kinds[words], available_only=True)["equipment_items"]
        if there:
            break
    try:
        loan = tools.lend_equipment(tag=there[0]["tag"], due_on=p["day"])
    except tools.Error:
        return {
            "outcome": "refused",
            "answers": {"item": None, "deposit": None, "balance": None},
            "reason": "debt_limit",
            "message": "I can't lend you anything: a member who owes more than 40.00 EUR cannot borrow, and you owe more.",
        }
    balance = tools.get_own_membership()["balance_cents"]
    return {
        "outcome": "done",
        "answers": {"item": loan["name"], "deposit": loan["deposit_cents"], "balance": balance},
        "reason": None,
        "message": (
            f"{loan['name']} is yours until {p['day']} for a deposit of {loan['deposit_cents'] / 100:.2f} EUR; "
            f"your balance is now {balance / 100:.2f} EUR."
        ),
    }


def _refused(world, p):
    """Whether the refusal that the rule asks for is reported."""
    return world.report.outcome == "refused" and world.report.reason == p["rule"]


def _right(p, row):
    """Whether a new loan is the one that was asked for."""
    return (
        row["member_id"] == 1
        and row["equipment_item_id"] == p["item"]
        and row["due_on"] == p["day"]
        and row["deposit_cents"] == p["deposit"]
        and row["status"] == "out"
    )


def _added(world, table):
    """The rows that are new in a table."""
    return [c["after"] for c in world.changes if c["table"] == table and c["before"] is None]


def goal_lends_the_first_that_is_there(world, p):
    """The item of the first kind that is on the shelf is lent until that day; or the rule is given."""
    if p["rule"] is not None:
        return _refused(world, p)
    new = _added(world, "loans")
    return len(new) == 1 and _right(p, new[0])


def goal_charges_the_deposit(world, p):
    """The deposit stands once on the user's ledger; or the rule is given."""
    if p["rule"] is not None:
        return _refused(world, p)
    loans = [row["id"] for row in _added(world, "loans")]
    new = _added(world, "ledger_entries")
    return len(new) == 1 and new[0]["amount_cents"] == -p["deposit"] and new[0]["loan_id"] in loans


def goal_says_which_item(world, p):
    """Says what was lent, and nothing where the rule forbids it."""
    if p["rule"] is not None:
        return _refused(world, p) and world.report.says("item", None)
    return world.report.says("item", world.initial.one("SELECT name FROM equipment_items WHERE id = ?", [p["item"]])["name"])


def goal_says_the_deposit(world, p):
    """Says the deposit, and nothing where the rule forbids it."""
    if p["rule"] is not None:
        return _refused(world, p) and world.report.says("deposit", None)
    return world.report.says("deposit", p["deposit"])


def goal_says_the_balance(world, p):
    """Says the balance afterwards, and nothing where the rule forbids it."""
    if p["rule"] is not None:
        return _refused(world, p) and world.report.says("balance", None)
    row = world.initial.one("SELECT SUM(amount_cents) AS cents FROM ledger_entries WHERE member_id = 1", [])
    return world.report.says("balance", row["cents"] - p["deposit"])


def guard_reports_the_right_outcome(world, p):
    """Reports that it is done, or refused for the rule that forbids it."""
    if world.report.outcome is None:
        return True
    if p["rule"] is not None:
        return _refused(world, p)
    return world.report.outcome == "done" and world.report.reason is None


def guard_adds_only_that_loan_and_its_deposit(world, p):
    """Touched no row but one new loan as wanted and its deposit, and none at all where the rule forbids it."""
    if p["rule"] is not None:
        return not world.changes
    loans = [row["id"] for row in _added(world, "loans")]
    found = []
    for change in world.changes:
        row = change["after"]
        if change["before"] is not None:
            return False
        if change["table"] == "loans" and _right(p, row):
            found.append("loan")
        elif change["table"] == "ledger_entries" and row["member_id"] == 1 and row["kind"] == "deposit":
            if row["loan_id"] not in loans or row["amount_cents"] != -p["deposit"]:
                return False
            found.append("deposit")
        else:
            return False
    return len(found) == len(set(found))
