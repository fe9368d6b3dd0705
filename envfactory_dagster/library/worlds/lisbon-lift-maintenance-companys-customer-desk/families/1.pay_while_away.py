import datetime

ITEMS = (
    ("Lamp set of the car", 8600, 5400), ("Landing buttons on two floors", 14200, 9800),
    ("Battery of the emergency phone", 6900, 4600), ("Oil change of the machine", 11300, 12500),
    ("Pit pump", 23800, 9500), ("Door closers on three landings", 19600, 15200),
    ("Non-slip floor covering", 17400, 13900), ("Key switch at the ground floor", 7200, 6400),
    ("Handrail in the car", 12900, 7700), ("Glass of a landing door", 31500, 14800),
    ("Fan of the car", 9100, 5900), ("Lock contacts on four landings", 26400, 18300),
)
WAYS = ("bank transfer", "Multibanco")


def _day(text, days=0):
    return datetime.date.fromisoformat(text[:10]) + datetime.timedelta(days=days)


def _holidays(world, area):
    return {row["holiday_date"] for row in world.query(
        "SELECT holiday_date FROM holidays WHERE municipality_id IS NULL OR municipality_id = ? ORDER BY id", [area]
    )}


def _works(day, free):
    return day.weekday() < 5 and day.isoformat() not in free


def _next_working(day, free):
    while not _works(day, free):
        day += datetime.timedelta(days=1)
    return day


def _plus_working(day, count, free):
    while count:
        day += datetime.timedelta(days=1)
        count -= _works(day, free)
    return day


def _unpaid(world, building):
    return world.query(
        "SELECT * FROM (SELECT i.id, i.invoice_number, i.invoice_status, i.due_date, i.interest_cents, MAX(0,"
        " ((SELECT SUM(CASE x.line_kind WHEN 'credit' THEN -x.net_cents ELSE x.net_cents END) FROM invoice_lines x"
        " WHERE x.invoice_id = i.id) * (100 + i.vat_rate) + 50) / 100"
        " - (SELECT COALESCE(SUM(p.total_cents), 0) FROM payments p WHERE p.invoice_id = i.id"
        " AND p.payment_status = 'settled')"
        " - ((SELECT COALESCE(SUM(x.net_cents), 0) FROM invoice_lines x WHERE x.invoice_id = i.id AND x.id IN"
        " (SELECT d.invoice_line_id FROM dispute_lines d JOIN invoice_disputes s ON s.id = d.dispute_id"
        " WHERE s.dispute_status = 'open')) * (100 + i.vat_rate) + 50) / 100) AS unpaid,"
        " EXISTS (SELECT 1 FROM payments p WHERE p.invoice_id = i.id"
        " AND p.payment_status IN ('awaiting_customer', 'pending')) AS under_way"
        " FROM invoices i JOIN contracts c ON c.id = i.contract_id"
        " JOIN building_roles r ON r.building_id = c.building_id AND r.customer_id = 1"
        " WHERE c.building_id = :building AND i.invoice_status NOT IN ('paid', 'credited')"
        " AND ((r.customer_role = 'shop_owner' AND c.customer_id = 1)"
        " OR (r.customer_role <> 'shop_owner' AND c.customer_id IS NULL))) ORDER BY id",
        {"building": building},
    )


def instances(world, rng):
    """An address, an absence in which several invoices fall due there, and invoices of all sorts around it."""
    deals = world.query(
        "SELECT c.id, c.building_id, c.vat_rate, b.address, b.municipality_id, r.customer_role,"
        " CASE r.customer_role WHEN 'committee_member' THEN (SELECT a.customer_id FROM building_roles a"
        " WHERE a.building_id = b.id AND a.customer_role = 'administrator') ELSE 1 END AS payer"
        " FROM contracts c JOIN buildings b ON b.id = c.building_id"
        " JOIN building_roles r ON r.building_id = b.id AND r.customer_id = 1"
        " WHERE c.contract_status <> 'ended' AND ((r.customer_role = 'shop_owner' AND c.customer_id = 1)"
        " OR (r.customer_role <> 'shop_owner' AND c.customer_id IS NULL)) ORDER BY c.id"
    )
    numbers = world.query("SELECT invoice_number, atcud, issued_on FROM invoices ORDER BY issued_on, id")
    phones = {row["id"]: row["phone"] for row in world.query("SELECT id, phone FROM customers ORDER BY id")}
    top = {table: world.one(sql)["n"] + 1 for table, sql in (
        ("invoices", "SELECT MAX(id) AS n FROM invoices"), ("lines", "SELECT MAX(id) AS n FROM invoice_lines"),
        ("payments", "SELECT MAX(id) AS n FROM payments"), ("disputes", "SELECT MAX(id) AS n FROM invoice_disputes"),
    )}
    able = [deal for deal in deals if deal["customer_role"] != "committee_member"]
    unable = [deal for deal in deals if deal["customer_role"] == "committee_member"]
    for _ in range(900):
        allowed = not unable or rng.random() < 0.8
        deal = rng.choice(able if allowed else unable)
        free = _holidays(world, deal["municipality_id"])
        today = _day(world.clock)
        first = today + datetime.timedelta(days=rng.randint(2, 9))
        last = first + datetime.timedelta(days=rng.randint(6, 15))
        given = {"invoices": [], "invoice_lines": [], "payments": [], "invoice_disputes": [], "dispute_lines": []}
        dues, taken, right = [], set(), 0
        sorts = ["open", "open", rng.choice(["open", "part_paid"]), rng.choice(["disputed", "open"]),
                 rng.choice(["pending", "open"])]
        waiting = [row for row in _unpaid(world, deal["building_id"]) if row["unpaid"] > 0]
        if len(waiting) > 3:
            sorts = rng.sample(sorts, 2)
        items = rng.sample(ITEMS, len(sorts))
        for sort, (thing, parts, labour) in zip(sorts, items):
            issued = today - datetime.timedelta(days=rng.randint(5, 27))
            if not _works(issued, free):
                continue
            due = _next_working(issued + datetime.timedelta(days=30), free)
            if due in dues:
                continue
            dues.append(due)
            number_id, line_id = top["invoices"] + len(given["invoices"]), top["lines"] + len(given["invoice_lines"])
            before = [int(row["invoice_number"].split("/")[1]) for row in numbers
                      if row["issued_on"] <= issued.isoformat() and row["issued_on"][:4] == str(issued.year)]
            serial = max(before, default=0) + 1
            used = {row["invoice_number"] for row in numbers}
            while f"FT LX{issued.year % 100}/{serial}" in used | taken:
                serial += 1
            text = f"FT LX{issued.year % 100}/{serial}"
            taken.add(text)
            parts, labour = parts + 100 * rng.randint(-9, 9), labour + 100 * rng.randint(-6, 6)
            total = ((parts + labour) * (100 + deal["vat_rate"]) + 50) // 100
            status = {"disputed": "part_disputed", "pending": "payment_pending"}.get(sort, "open")
            given["invoices"].append({
                "id": number_id, "invoice_number": text, "atcud": f"JF7T{number_id:03d}R-{serial}",
                "contract_id": deal["id"], "quotation_id": None, "invoice_status": status,
                "issued_on": issued.isoformat(), "due_date": due.isoformat(), "vat_rate": deal["vat_rate"],
                "interest_cents": 0,
            })
            given["invoice_lines"] += [
                {"id": line_id, "invoice_id": number_id, "line_number": 1, "line_kind": "parts",
                 "line_text": thing, "net_cents": parts, "call_out_id": None},
                {"id": line_id + 1, "invoice_id": number_id, "line_number": 2, "line_kind": "labour",
                 "line_text": "Fitting", "net_cents": labour, "call_out_id": None},
            ]
            payment = {
                "id": top["payments"] + len(given["payments"]), "invoice_id": number_id, "customer_id": deal["payer"],
                "payment_method": "bank_transfer", "payment_status": "pending", "total_cents": total, "in_part": 0,
                "phone": None, "mb_entity": None, "mb_reference": None, "iban": "PT50003300004512987630105",
            }
            if sort == "pending":
                made = today - datetime.timedelta(days=1)
                while not _works(made, free):
                    made -= datetime.timedelta(days=1)
                payment["created_at"] = f"{made}T{rng.randint(9, 17):02d}:{rng.randint(10, 50)}:00"
                payment["pay_before"] = f"{_plus_working(made, 5, free)}T18:00:00"
                given["payments"].append(payment)
            elif sort == "part_paid":
                made = issued + datetime.timedelta(days=rng.randint(1, 4))
                payment.update(
                    payment_method="mb_way", payment_status="settled", in_part=1, iban=None,
                    total_cents=(total // 2 // 1000 + 1) * 1000, phone=phones[deal["payer"]],
                    created_at=f"{made}T20:{rng.randint(10, 50)}:00",
                )
                payment["pay_before"] = (
                    datetime.datetime.fromisoformat(payment["created_at"]) + datetime.timedelta(minutes=5)
                ).isoformat()
                given["payments"].append(payment)
            elif sort == "disputed":
                opened = _next_working(issued + datetime.timedelta(days=1), free)
                dispute = top["disputes"] + len(given["invoice_disputes"])
                given["invoice_disputes"].append({
                    "id": dispute, "invoice_id": number_id, "customer_id": deal["payer"],
                    "dispute_reason": "wrong_amount", "reason": "The fitting took half the time that you charge for.",
                    "document_ref": None, "dispute_status": "open", "opened_on": opened.isoformat(),
                    "answer_due_date": _plus_working(opened, 15, free).isoformat(),
                })
                given["dispute_lines"].append({"dispute_id": dispute, "invoice_line_id": line_id + 1})
            right += first < due < last and sort != "pending"
        dues += [_day(row["due_date"]) for row in waiting]
        inside = [row for row in waiting if first < _day(row["due_date"]) < last and not row["under_way"]]
        right += len(inside)
        if first in dues or last in dues or not 2 <= right <= 4 or len(dues) == right or not given["invoices"]:
            continue
        instance = {
            "p": {"address": deal["address"], "first": first.isoformat(), "last": last.isoformat(),
                  "way": rng.choice(WAYS), "building": deal["building_id"], "allowed": allowed},
            "given": {table: rows for table, rows in given.items() if rows},
        }
        if not allowed:
            instance.update(kind="refusal", rule="invoice_payment_limits")
        yield instance


def solve(tools, p):
    buildings = tools.list_buildings(page_size=100)["buildings"]
    building = next(one for one in buildings if one["address"] == p["address"])
    rows, cursor = [], None
    while True:
        more = {"page_cursor": cursor} if cursor else {}
        page = tools.list_invoices(building_id=building["building_id"], page_size=100, **more)
        rows += page["invoices"]
        cursor = page["next_page_cursor"]
        if not cursor:
            break
    method = {"bank transfer": "bank_transfer", "Multibanco": "multibanco"}[p["way"]]
    paid = []
    for row in sorted(rows, key=lambda one: one["due_date"]):
        if not p["first"] <= row["due_date"] <= p["last"] or row["outstanding_cents"] == 0:
            continue
        invoice = tools.get_invoice(invoice_id=row["invoice_id"])
        if any(one["payment_status"] in ("awaiting_customer", "pending") for one in invoice["payments"]):
            continue
        amount = invoice["outstanding_cents"] + invoice["interest_cents"]
        try:
            tools.pay_invoice(invoice_id=row["invoice_id"], payment_method=method, amount_cents=amount)
        except tools.Error as error:
            return {
                "outcome": "refused", "answers": {"invoices": None, "total": None},
                "reason": "invoice_payment_limits", "message": f"Nothing is paid: {error}",
            }
        paid.append((invoice["invoice_number"], amount))
    total = sum(amount for _, amount in paid)
    numbers = [number for number, _ in paid]
    return {
        "outcome": "done", "answers": {"invoices": numbers, "total": total}, "reason": None,
        "message": f"Paid by {p['way']}: {', '.join(numbers)}, {total / 100:.2f} EUR in all.",
    }


def _due(world, p):
    return [
        row for row in _unpaid(world.initial, p["building"])
        if p["first"] <= row["due_date"] <= p["last"] and row["unpaid"] > 0 and not row["under_way"]
    ]


def _made(world):
    return [change["after"] for change in world.changes if change["table"] == "payments" and not change["before"]]


def goal_pays_each_in_full(world, p):
    """Pays the rest of every invoice that falls due in that time, in the way that was asked for."""
    if not p["allowed"]:
        return world.report.outcome == "refused" and world.report.reason == "invoice_payment_limits"
    method, status = ("bank_transfer", "pending") if p["way"] == "bank transfer" else ("multibanco", "awaiting_customer")
    made = _made(world)
    return sorted((row["invoice_id"], row["total_cents"]) for row in made) == sorted(
        (row["id"], row["unpaid"] + row["interest_cents"]) for row in _due(world, p)
    ) and all(
        row["payment_method"] == method and row["payment_status"] == status and row["customer_id"] == 1 for row in made
    )


def goal_says_which_are_paid(world, p):
    """Says which invoices are paid, or nothing where none may be."""
    if world.report.outcome is None:
        return False
    return world.report.says("invoices", [row["invoice_number"] for row in _due(world, p)] if p["allowed"] else None)


def goal_says_what_leaves_the_account(world, p):
    """Says how much is paid in all, or nothing where none may be."""
    if world.report.outcome is None:
        return False
    total = sum(row["unpaid"] + row["interest_cents"] for row in _due(world, p))
    return world.report.says("total", total if p["allowed"] else None)


def guard_reports_the_right_outcome(world, p):
    """Reports that it is done, or refused where only the administrator may pay."""
    return world.report.outcome in (None, "done" if p["allowed"] else "refused")


def guard_gives_the_right_reason(world, p):
    """Gives the rule as the reason of a refusal, and none otherwise."""
    return world.report.reason in (None, None if p["allowed"] else "invoice_payment_limits")


def guard_changes_nothing_else(world, p):
    """Changed nothing but one payment of each such invoice and its status."""
    right = {row["id"] for row in _due(world, p)} if p["allowed"] else set()
    paid = []
    for change in world.changes:
        before, after = change["before"], change["after"]
        if change["table"] == "payments" and before is None and after["invoice_id"] in right:
            paid.append(after["invoice_id"])
        elif change["table"] == "invoices" and before and after and before["id"] in right:
            if any(before[key] != after[key] for key in before if key != "invoice_status"):
                return False
            if after["invoice_status"] not in (before["invoice_status"], "payment_pending"):
                return False
        else:
            return False
    return len(paid) == len(set(paid))
