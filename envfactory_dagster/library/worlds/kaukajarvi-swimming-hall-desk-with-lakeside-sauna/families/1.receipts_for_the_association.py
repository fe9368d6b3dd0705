import datetime
import json

KINDS = (
    ("single tickets", "ticket"),
    ("lane hours", "lane_hour"),
    ("swimming courses", "course"),
    ("season cards", "season_card"),
    ("10-visit cards", "ten_visit_card"),
    ("badges", "badge"),
)
LIMITS = (5000, 7500, 10000, 12000, 15000, 20000, 25000)


def _category(name):
    return dict(KINDS)[name]


def _month(day, back):
    """The first day of a month so many months before that of a day."""
    months = day.year * 12 + day.month - 1 - back
    return datetime.date(months // 12, months % 12 + 1, 1)


def _payments(db, p):
    """The person's payments for these things in that time, each with whether anything of it came back."""
    return db.query(
        "SELECT p.id, p.receipt_number, p.method, p.amount_cents, r.code, EXISTS (SELECT 1 FROM payments b"
        " WHERE b.refunded_payment_id = p.id) AS came_back FROM payments p JOIN prices r ON r.id = p.price_id"
        " WHERE p.customer_id = 1 AND p.kind = 'payment' AND r.category IN (SELECT value FROM json_each(:c))"
        " AND substr(p.paid_at, 1, 10) BETWEEN :first AND :last ORDER BY p.id",
        {"c": json.dumps([_category(k) for k in p["kinds"]]), "first": p["first"], "last": p["last"]},
    )


def _due(db, p):
    return [r for r in _payments(db, p) if r["method"] == "bank_card" and not r["came_back"]]


def instances(world, rng):
    """Some kinds of things and some whole months in which a few bank card payments count and others do not."""
    today = datetime.date.fromisoformat(world.clock[:10])
    seen = set()
    for _ in range(3000):
        back = rng.randint(3, 15)
        length = rng.randint(2, min(10, back - 1))
        first = _month(today, back)
        last = _month(today, back - length) - datetime.timedelta(days=1)
        kinds = rng.sample([k for k, _c in KINDS], rng.choice([3, 3, 4, 4, 5]))
        p = {"kinds": kinds, "first": first.isoformat(), "last": last.isoformat(), "limit": rng.choice(LIMITS)}
        rows = _payments(world, p)
        due = _due(world, p)
        total = sum(r["amount_cents"] for r in due)
        if not 2 <= len(due) <= 8 or len(due) == len(rows) or total == p["limit"]:
            continue
        if any(r["code"] == "rantasauna_addon" for r in rows):
            continue
        key = (p["first"], p["last"], tuple(sorted(kinds)))
        if key in seen:
            continue
        seen.add(key)
        yield {"p": p}


def solve(tools, p):
    came_back = {r["refunded_payment_id"] for r in tools.list_payments(kind="refund")["payments"]}
    due = []
    for kind in p["kinds"]:
        paid = tools.list_payments(
            category=_category(kind), kind="payment", method="bank_card", first_day=p["first"], last_day=p["last"]
        )["payments"]
        due.extend(r for r in paid if r["id"] not in came_back)
    amount = min(sum(r["amount_cents"] for r in due), p["limit"])
    receipts = [r["receipt_number"] for r in sorted(due, key=lambda r: r["id"])]
    return {
        "outcome": "done",
        "answers": {"receipts": receipts, "amount_paid_back": amount},
        "reason": None,
        "message": f"Hand in the receipts {', '.join(receipts)}; the association pays you {amount / 100:.2f} euros for them.",
    }


def goal_names_the_receipts(world, p):
    """Names exactly the receipts of what was paid with the bank card and did not come back."""
    return world.report.says("receipts", [r["receipt_number"] for r in _due(world.initial, p)])


def goal_says_what_is_paid_back(world, p):
    """Says how much the association pays for them, up to its limit."""
    total = sum(r["amount_cents"] for r in _due(world.initial, p))
    return world.report.says("amount_paid_back", min(total, p["limit"]))


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done") and world.report.reason is None


def guard_changes_nothing(world, p):
    """Changed nothing."""
    return len(world.changes) == 0
