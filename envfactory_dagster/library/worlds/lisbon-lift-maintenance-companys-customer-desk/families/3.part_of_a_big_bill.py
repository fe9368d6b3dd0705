import datetime

BIG = (
    ("Traction sheave", 138000, 61000), ("Frequency drive", 164000, 52000), ("Suspension ropes", 96000, 68000),
    ("Door operator", 112000, 47500), ("Landing door locks", 78500, 59000), ("Motor bearing and coupling", 88000, 73000),
    ("Brake magnet and linings", 83000, 56500), ("Control transformer", 91500, 38000),
)
OTHERS = (
    ("Lamp set of the car", 8600, 5400), ("Pit pump", 23800, 9500), ("Mirror of the car", 14900, 7200),
    ("Battery of the emergency phone", 6900, 4600), ("Handrail in the car", 12900, 7700),
    ("Door closers on two landings", 13200, 10900), ("Fan of the car", 9100, 5900),
)


def _open(day, feasts):
    return day.weekday() < 5 and day.isoformat() not in feasts


def _from(day, feasts, count=0):
    while count or not _open(day, feasts):
        day += datetime.timedelta(days=1)
        if count and _open(day, feasts):
            count -= 1
    return day


def _bill(world, p):
    """The invoice with its total, what is paid of it, what is under way, and whether a part was paid before."""
    return world.one(
        "SELECT i.id, i.due_date, i.invoice_status,"
        " ((SELECT SUM(l.net_cents) FROM invoice_lines l WHERE l.invoice_id = i.id) * (100 + i.vat_rate) + 50) / 100 AS total,"
        " (SELECT ifnull(SUM(p.total_cents), 0) FROM payments p WHERE p.invoice_id = i.id"
        " AND p.payment_status = 'settled') AS paid,"
        " (SELECT COUNT(*) FROM payments p WHERE p.invoice_id = i.id AND p.in_part = 1"
        " AND p.payment_status <> 'refused') AS parts, (SELECT r.customer_role FROM building_roles r"
        " JOIN contracts c ON c.building_id = r.building_id WHERE c.id = i.contract_id AND r.customer_id = 1) AS part"
        " FROM invoices i WHERE i.id = ?", [p["bill"]],
    )


def _allowed(world, p):
    bill = _bill(world, p)
    left = bill["total"] - bill["paid"]
    return bill["part"] != "committee_member" and bill["parts"] == 0 and p["sum"] * 2 >= left \
        and (not p["way"].startswith("MB WAY") or p["sum"] <= 75000)


def instances(world, rng):
    """An address with one big open invoice for a repair and several smaller ones, and a sum that is there for the big one."""
    deals = world.query(
        "SELECT c.id, c.vat_rate, c.contract_kind, b.id AS house, b.address, b.municipality_id AS area, u.phone,"
        " r.customer_role AS part, (SELECT x.customer_id FROM building_roles x WHERE x.building_id = b.id"
        " AND x.customer_role = 'administrator' ORDER BY x.customer_id LIMIT 1) AS head,"
        " (SELECT MIN(l.entrance) FROM lifts l WHERE l.contract_id = c.id) AS entrance"
        " FROM building_roles r JOIN customers u ON u.id = r.customer_id JOIN buildings b ON b.id = r.building_id"
        " JOIN contracts c ON c.building_id = b.id WHERE u.id = 1 AND c.contract_status <> 'ended' AND c.contract_kind = 'simple'"
        " AND (r.customer_role <> 'shop_owner' OR c.customer_id = u.id)"
        " AND (r.customer_role = 'shop_owner' OR c.customer_id IS NULL) ORDER BY c.id"
    )
    printed = world.query("SELECT invoice_number, issued_on FROM invoices ORDER BY invoice_number, id")
    said = " ".join(row["line_text"] for row in world.query("SELECT line_text FROM invoice_lines ORDER BY id")).lower()
    high = {name: world.one(sql)["n"] + 1 for name, sql in (
        ("bill", "SELECT MAX(id) AS n FROM invoices WHERE id > 0"), ("line", "SELECT MAX(id) AS n FROM invoice_lines WHERE id > 0"),
        ("paid", "SELECT MAX(id) AS n FROM payments WHERE id > 0"),
    )}
    today = datetime.date.fromisoformat(world.clock[:10])
    for _ in range(1500):
        deal = rng.choice(deals)
        if deal["part"] == "committee_member" and rng.random() < 0.7:
            continue
        feasts = {row["holiday_date"] for row in world.query(
            "SELECT holiday_date, name FROM holidays WHERE municipality_id IS NULL OR municipality_id = ?", [deal["area"]]
        )}
        payer = 1 if deal["part"] != "committee_member" else deal["head"]
        work, parts, labour = rng.choice(BIG)
        if work.lower() in said:
            continue
        parts, labour = parts + 500 * rng.randint(-8, 8), labour + 500 * rng.randint(-6, 6)
        things = [(work, parts, labour)] + rng.sample(OTHERS, rng.randint(2, 4))
        bills, lines, payments, taken, days = [], [], [], {row["invoice_number"] for row in printed}, []
        for thing, price, hours in things:
            issued = today - datetime.timedelta(days=rng.randint(4, 24))
            if not _open(issued, feasts) or issued in days:
                break
            days.append(issued)
            serial = 1 + max([int(row["invoice_number"].split("/")[1]) for row in printed
                              if row["issued_on"][:4] == str(issued.year) and row["issued_on"] <= issued.isoformat()], default=0)
            while f"FT LX{issued.year % 100}/{serial}" in taken:
                serial += 1
            taken.add(f"FT LX{issued.year % 100}/{serial}")
            bill = high["bill"] + len(bills)
            bills.append({
                "id": bill, "invoice_number": f"FT LX{issued.year % 100}/{serial}", "atcud": f"JF7B{bill:03d}R-{serial}",
                "contract_id": deal["id"], "quotation_id": None, "invoice_status": "open", "issued_on": issued.isoformat(),
                "due_date": _from(issued + datetime.timedelta(days=30), feasts).isoformat(), "vat_rate": deal["vat_rate"],
                "interest_cents": 0,
            })
            for number, (kind, text, cents) in enumerate((("parts", thing, price), ("labour", "Fitting", hours)), 1):
                lines.append({"id": high["line"] + len(lines), "invoice_id": bill, "line_number": number,
                              "line_kind": kind, "line_text": text, "net_cents": cents, "call_out_id": None})
            total = ((price + hours) * (100 + deal["vat_rate"]) + 50) // 100
            whole = bill != high["bill"] and rng.random() < 0.3
            if whole:
                made = issued + datetime.timedelta(days=rng.randint(1, 3))
                while not _open(made, feasts):
                    made += datetime.timedelta(days=1)
                if made >= today:
                    break
                payments.append({
                    "id": high["paid"] + len(payments), "invoice_id": bill, "customer_id": payer,
                    "payment_method": "bank_transfer", "payment_status": "settled", "total_cents": total,
                    "in_part": 0, "phone": None, "mb_entity": None, "mb_reference": None,
                    "iban": "PT50003300004512987630105", "created_at": f"{made}T{rng.randint(9, 17):02d}:{rng.randint(10, 50)}:00",
                    "pay_before": f"{_from(made, feasts, 5)}T18:00:00",
                })
                bills[-1]["invoice_status"] = "paid"
        if len(bills) < len(things):
            continue
        left = ((parts + labour) * (100 + deal["vat_rate"]) + 50) // 100
        share = rng.choice((0.25, 0.35, 0.4, 0.54, 0.57, 0.6, 0.65, 0.7, 0.75))
        money = int(left * share) // 5000 * 5000
        if money < 15000 or abs(money * 2 - left) < 2000 or money + 10000 > left:
            continue
        way = rng.choice(("bank transfer", "bank transfer", "Multibanco", "Multibanco", f"MB WAY on my number {deal['phone']}"))
        p = {"address": deal["address"], "work": work, "sum": money, "way": way, "bill": high["bill"],
             "left": left - money, "due": bills[0]["due_date"]}
        fine = deal["part"] != "committee_member" and money * 2 >= left \
            and (not way.startswith("MB WAY") or money <= 75000)
        given = {"invoices": bills, "invoice_lines": lines, "payments": payments}
        instance = {"p": p, "given": {table: rows for table, rows in given.items() if rows}}
        if not fine:
            instance.update(kind="refusal", rule="invoice_payment_limits")
        yield instance


def solve(tools, p):
    house = next(b for b in tools.list_buildings(page_size=100)["buildings"] if b["address"] == p["address"])
    rows, cursor = [], None
    while True:
        more = {"page_cursor": cursor} if cursor else {}
        page = tools.list_invoices(building_id=house["building_id"], page_size=100, **more)
        rows += page["invoices"]
        cursor = page["next_page_cursor"]
        if not cursor:
            break
    bill = None
    for row in rows:
        if row["outstanding_cents"] == 0:
            continue
        one = tools.get_invoice(invoice_id=row["invoice_id"])
        if any(p["work"] == line["line_text"] for line in one["lines"]):
            bill = one
            break
    more = {}
    method = {"bank": "bank_transfer", "Multibanco": "multibanco", "MB": "mb_way"}[p["way"].split()[0]]
    if method == "mb_way":
        more["phone"] = p["way"].split()[-1]
    try:
        tools.pay_invoice(invoice_id=bill["invoice_id"], payment_method=method, amount_cents=p["sum"], **more)
    except tools.Error as error:
        return {"outcome": "refused", "answers": {"left": None, "due": None}, "reason": "invoice_payment_limits",
                "message": f"Nothing is paid: {error}"}
    left = bill["outstanding_cents"] - p["sum"]
    return {
        "outcome": "done", "answers": {"left": left, "due": bill["due_date"]}, "reason": None,
        "message": f"{p['sum'] / 100:.2f} EUR are on their way; {left / 100:.2f} EUR are left, due on {bill['due_date']}.",
    }


def _new(world):
    return [change["after"] for change in world.changes if change["table"] == "payments" and change["before"] is None]


def goal_pays_that_part(world, p):
    """Has paid this sum on that invoice in the way that was asked for, or says that the rule forbids it."""
    if not _allowed(world.initial, p):
        return world.report.outcome == "refused" and world.report.reason == "invoice_payment_limits"
    method = {"bank": "bank_transfer", "Multibanco": "multibanco", "MB": "mb_way"}[p["way"].split()[0]]
    rows = _new(world)
    return len(rows) == 1 and rows[0]["invoice_id"] == p["bill"] and rows[0]["total_cents"] == p["sum"] \
        and rows[0]["payment_method"] == method and rows[0]["customer_id"] == 1 \
        and rows[0]["payment_status"] in ("pending", "awaiting_customer", "settled") \
        and (method != "mb_way" or rows[0]["phone"] == p["way"].split()[-1])


def goal_says_what_is_left(world, p):
    """Says how much is left to pay on it, or nothing where the rule forbids it."""
    bill = _bill(world.initial, p)
    left = bill["total"] - bill["paid"] - p["sum"] if _allowed(world.initial, p) else None
    return world.report.outcome is not None and world.report.says("left", left)


def goal_says_by_when(world, p):
    """Says by when the rest is due, or nothing where the rule forbids it."""
    day = _bill(world.initial, p)["due_date"] if _allowed(world.initial, p) else None
    return world.report.outcome is not None and world.report.says("due", day)


def guard_reports_the_right_outcome(world, p):
    """Reports that it is done, or refused where the rule forbids it."""
    return world.report.outcome in (None, "done" if _allowed(world.initial, p) else "refused")


def guard_gives_the_right_reason(world, p):
    """Gives the rule as the reason where it forbids the payment, and no reason otherwise."""
    return world.report.reason in (None, None if _allowed(world.initial, p) else "invoice_payment_limits")


def guard_pays_nothing_else(world, p):
    """Changed nothing but one payment of that invoice, and nothing at all where the rule forbids it."""
    return len(world.changes) <= int(_allowed(world.initial, p)) and all(
        change["table"] == "payments" and change["before"] is None and change["after"]["invoice_id"] == p["bill"]
        for change in world.changes
    )
