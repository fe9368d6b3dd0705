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


def _back(text, days):
    return (datetime.date.fromisoformat(text[:10]) - datetime.timedelta(days=days)).isoformat()


def _months(first, last):
    """The calendar months from one day to another, as year and number."""
    count = (int(last[:4]) - int(first[:4])) * 12 + int(last[5:7]) - int(first[5:7]) + 1
    start = int(first[:4]) * 12 + int(first[5:7]) - 1
    return [divmod(start + i, 12) for i in range(count)]


def instances(world, rng):
    """A limit, with many contracts of which at least two are behind by more than that and one most of all."""
    tops = world.one(
        "SELECT (SELECT max(id) FROM containers) AS c, (SELECT max(number) FROM containers) AS n,"
        " (SELECT max(id) FROM storage_contracts) AS s, (SELECT max(id) FROM invoices) AS i,"
        " (SELECT max(id) FROM invoice_lines) AS l"
    )
    name = world.one("SELECT name FROM customers WHERE id = 1")["name"]
    today = world.clock[:10]
    old = []
    for row in world.query(
        "SELECT s.id, c.number, s.starts_on, s.ends_on, s.monthly_price_cents,"
        " (SELECT coalesce(sum(l.amount_cents), 0) FROM invoice_lines l JOIN invoices i ON i.id = l.invoice_id"
        " WHERE i.storage_contract_id = s.id AND i.status <> 'cancelled' AND l.kind = 'storage_month') AS paid"
        " FROM storage_contracts s JOIN containers c ON c.id = s.container_id"
        " WHERE s.customer_id = 1 AND s.status <> 'cleared'"
    ):
        until = min(row["ends_on"] or today, today)
        rent = len(_months(row["starts_on"], until)) * row["monthly_price_cents"]
        old.append((row["number"], rent - row["paid"]))
    for _ in range(500):
        given = {"containers": [], "storage_contracts": [], "invoices": [], "invoice_lines": []}
        missing = list(old)
        for number in range(rng.randint(6, 8)):
            price = rng.choice((5800, 7400, 9600, 9900, 13200, 16800))
            start = _back(today, rng.randint(35, 200))
            own = number < 6 or rng.random() < 0.5
            contract = tops["s"] + 1 + number
            given["containers"].append(
                {
                    "id": tops["c"] + 1 + number,
                    "number": tops["n"] + 3 + number * 3,
                    "size_m3": 18.0,
                    "monthly_price_cents": price,
                }
            )
            given["storage_contracts"].append(
                {
                    "id": contract,
                    "code": f"LG-2025-{400 + number:04d}",
                    "customer_id": 1 if own else 2,
                    "container_id": tops["c"] + 1 + number,
                    "authorised_customer_id": None if own else 1,
                    "volume_m3": float(rng.randint(6, 16)),
                    "starts_on": start,
                    "monthly_price_cents": price,
                    "deposit_cents": price * 2,
                    "handling_fee_cents": 4500,
                    "status": "running",
                }
            )
            months = _months(start, today)
            billed = max(0, len(months) - rng.choice((0, 0, 1, 1, 2, 3)))
            parts = [months[:billed]]
            if billed > 1 and rng.random() < 0.7:
                cut = rng.randint(1, billed - 1)
                parts = [months[:cut], months[cut:billed]]
            bills = [(part, "bill") for part in parts if part]
            if bills and rng.random() < 0.35:
                bills.append((months[:1], "cancelled"))
            for part, kind in bills:
                issued = _back(today, rng.randint(2, 20))
                if kind == "cancelled":
                    status = "cancelled"
                else:
                    status = rng.choice(("open", "paid"))
                invoice = tops["i"] + 1 + len(given["invoices"])
                given["invoices"].append(
                    {
                        "id": invoice,
                        "code": f"RE-2025-{800 + len(given['invoices']):04d}",
                        "customer_id": 1 if own else 2,
                        "storage_contract_id": contract,
                        "issued_on": issued,
                        "paid_on": _back(today, 1) if status == "paid" else None,
                        "status": status,
                    }
                )
                for year, month in part:
                    given["invoice_lines"].append(
                        {
                            "id": tops["l"] + 1 + len(given["invoice_lines"]),
                            "invoice_id": invoice,
                            "kind": "storage_month",
                            "description": f"Container, {MONTHS[month]} {year}",
                            "amount_cents": price,
                        }
                    )
                if kind == "bill" and part[0] == months[0] and rng.random() < 0.4:
                    given["invoice_lines"].append(
                        {
                            "id": tops["l"] + 1 + len(given["invoice_lines"]),
                            "invoice_id": invoice,
                            "kind": "handling",
                            "description": "Handling fee for loading the container in",
                            "amount_cents": 2500,
                        }
                    )
            if own:
                missing.append((tops["n"] + 3 + number * 3, (len(months) - billed) * price))
        limit = rng.randint(50, 220) * 100
        behind = sorted((amount, label) for label, amount in missing if amount > limit)
        if len(behind) < 2 or behind[-1][0] == behind[-2][0] or len(behind) == len(missing):
            continue
        yield {
            "p": {
                "name": name,
                "limit": limit,
                "numbers": sorted(label for _amount, label in behind),
                "total": sum(amount for amount, _label in behind),
                "most": behind[-1][1],
            },
            "given": given,
        }


def solve(tools, p):
    behind = []
    for short in tools.list_storage_contracts()["storage_contracts"]:
        if short["status"] == "cleared" or short["holder"] != p["name"]:
            continue
        contract = tools.get_storage_contract(storage_contract_id=short["storage_contract_id"])
        billed = 0
        for invoice in tools.list_invoices(storage_contract_id=short["storage_contract_id"])["invoices"]:
            if invoice["status"] == "cancelled":
                continue
            lines = tools.get_invoice(invoice_id=invoice["invoice_id"])["lines"]
            billed += sum(line["amount_cents"] for line in lines if line["kind"] == "storage_month")
        amount = contract["months_begun"] * contract["monthly_price_cents"] - billed
        if amount > p["limit"]:
            behind.append((amount, contract["container_number"]))
    numbers = sorted(number for _amount, number in behind)
    total = sum(amount for amount, _number in behind)
    worst = max(behind)[1]
    listed = ", ".join(str(number) for number in numbers)
    return {
        "outcome": "done",
        "answers": {"containers": numbers, "missing_total": total, "worst": worst},
        "reason": None,
        "message": f"More than that is missing on the containers {listed}, €{total / 100:.2f} altogether;"
        f" most of it on container {worst}.",
    }


def goal_says_which_containers(world, p):
    """Says on which containers more than the limit is missing."""
    return world.report.says("containers", p["numbers"])


def goal_says_what_is_missing(world, p):
    """Says what is missing on these containers together."""
    return world.report.says("missing_total", p["total"])


def goal_says_where_most_is_missing(world, p):
    """Says on which container most is missing."""
    return world.report.says("worst", p["most"])


def guard_leaves_everything_as_it_was(world, p):
    """Changed nothing at all."""
    return world.changes == []


def guard_reports_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done") and world.report.reason is None
