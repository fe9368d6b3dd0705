import datetime

MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
SORTS = (
    ("membership", "Junior membership of a guest child", 2400),
    ("tour", "Guided tour, one place", 3600),
    ("postage", "Postage from the hut", 690),
    ("tour", "Guided tour, two places", 8900),
)


def _last_day(year, month):
    following = datetime.date(year + month // 12, month % 12 + 1, 1)
    return (following - datetime.timedelta(days=1)).day


def _written(month):
    return f"{MONTHS[month[1] - 1]} {month[0]}"


def _read(words):
    name, year = words.split(" ")
    return int(year), MONTHS.index(name) + 1


def _months(first, last):
    found = [first]
    while found[-1] < last:
        year, month = found[-1]
        found.append((year + month // 12, month % 12 + 1))
    return found


def _net(database, months):
    """Month → what was paid in it, less what was refunded of it."""
    rows = database.query(
        """
        SELECT substr(p.confirmed_at, 1, 7) AS month, sum(c.amount_cents) - coalesce(sum(r.amount_cents), 0) AS cents
        FROM payments p JOIN charges c ON c.payment_id = p.id LEFT JOIN refunds r ON r.charge_id = c.id
        WHERE p.person_id = 1 AND c.person_id = 1 AND p.status = 'confirmed'
        GROUP BY 1
        """
    )
    cents = {row["month"]: row["cents"] for row in rows}
    return {month: cents.get(f"{month[0]}-{month[1]:02d}", 0) for month in months}


def instances(world, rng):
    """Payments of the last months, some of them refunded, over a period in which one month stands out."""
    now = (int(world.clock[:4]), int(world.clock[5:7]))
    start = (now[0] - 1, now[1])
    past = [month for month in _months(start, now) if month != now]
    method = world.one("SELECT max(id) AS id FROM payment_methods WHERE person_id = 1")["id"]
    last = world.one(
        "SELECT (SELECT max(id) FROM payments) AS payment, (SELECT max(id) FROM charges) AS charge,"
        " (SELECT max(id) FROM refunds) AS refund"
    )
    while True:
        length = rng.randint(3, len(past))
        begin = rng.randrange(len(past) - length + 1)
        months = past[begin : begin + length]
        net = _net(world, months)
        payments, charges, refunds = [], [], []
        for number in range(rng.randint(3, 7)):
            year, month = rng.choice(months)
            day = f"{year}-{month:02d}-{rng.randint(1, 20):02d}"
            kind, description, cents = rng.choice(SORTS)
            is_refunded = kind == "tour" and rng.random() < 0.5
            payment = last["payment"] + 1 + number
            charge = last["charge"] + 1 + number
            payments.append(
                {
                    "id": payment,
                    "code": f"PAY-{50000 + payment:05d}",
                    "person_id": 1,
                    "payment_method_id": method,
                    "amount_cents": cents,
                    "status": "confirmed",
                    "confirmed_at": f"{day}T20:0{number}:00",
                }
            )
            charges.append(
                {
                    "id": charge,
                    "person_id": 1,
                    "kind": kind,
                    "description": f"{description}, paid on {day}",
                    "amount_cents": cents,
                    "due_on": day,
                    "status": "refunded" if is_refunded else "paid",
                    "payment_id": payment,
                }
            )
            if is_refunded:
                refunds.append(
                    {
                        "id": last["refund"] + 1 + len(refunds),
                        "charge_id": charge,
                        "amount_cents": cents,
                        "reason": f"{description} cancelled",
                        "status": "paid_out",
                        "created_at": f"{day[:8]}{_last_day(year, month)}T09:00:00",
                    }
                )
            net[year, month] += 0 if is_refunded else cents
        ranked = sorted(net.values(), reverse=True)
        if ranked[0] == ranked[1]:
            continue
        given = {"payments": payments, "charges": charges}
        if refunds:
            given["refunds"] = refunds
        yield {"p": {"first": _written(months[0]), "last": _written(months[-1])}, "given": given}


def solve(tools, p):
    best, most = None, -1
    for year, month in _months(_read(p["first"]), _read(p["last"])):
        first = f"{year}-{month:02d}-01"
        last = f"{year}-{month:02d}-{_last_day(year, month)}"
        net = tools.summarize_spending(first_day=first, last_day=last)["net_cents"]
        if net > most:
            best, most = MONTHS[month - 1], net
    return {
        "outcome": "done",
        "answers": {"month": best, "amount": most},
        "reason": None,
        "message": f"{best} was the most expensive month, with {most / 100:.2f} euros.",
    }


def _dearest(world, p):
    net = _net(world.initial, _months(_read(p["first"]), _read(p["last"])))
    return max(net.items(), key=lambda item: item[1])


def goal_says_the_month(world, p):
    """Says in which month most was paid."""
    return world.report.says("month", MONTHS[_dearest(world, p)[0][1] - 1])


def goal_says_the_amount(world, p):
    """Says how much was paid in that month."""
    return world.report.says("amount", _dearest(world, p)[1])


def guard_changes_nothing(world, p):
    """Changed nothing."""
    return world.changes == []


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")
