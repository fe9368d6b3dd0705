import datetime

KINDS = ("goods", "goods", "goods", "script", "cancelled", "placed", "returned")


def instances(world, rng):
    """A stretch of days with orders of goods and of prescription medicines, collected and not, and an open invoice the credits go on."""
    top = world.one(
        "SELECT (SELECT MAX(id) FROM medicine_orders) AS item, (SELECT MAX(id) FROM invoices) AS invoice, (SELECT MAX(id) FROM invoice_lines) AS line,"
        " (SELECT MAX(id) FROM payments) AS payment")
    goods = world.query("SELECT id, name, unit, price_cents FROM products WHERE is_prescription = 0 ORDER BY id")
    scripts = world.query(
        "SELECT m.id, m.patient_id, m.product_id, m.consulted_on, d.name, d.unit, d.price_cents FROM medicine_authorities m JOIN products d ON d.id = m.product_id"
        " WHERE m.client_id = 1 AND m.status = 'active' ORDER BY m.id")
    dated = {r["issued_on"] for r in world.query("SELECT issued_on FROM invoices WHERE client_id = 1 AND practice = 'own'")}
    now = datetime.datetime.fromisoformat(world.clock)
    today = now.date()
    for _ in range(240):
        first = today - datetime.timedelta(days=rng.randint(22, 50))
        last = first + datetime.timedelta(days=rng.randint(8, 18))
        span = (last - first).days
        ids = dict(top)
        rows = {"medicine_orders": [], "invoices": [], "invoice_lines": [], "payments": []}
        days = [first, last, first - datetime.timedelta(days=1), last + datetime.timedelta(days=1)]
        kinds = ["goods", "goods", "goods", "goods"]
        for n in range(rng.randint(5, 8)):
            days.append(first + datetime.timedelta(days=rng.randint(0, span)))
            kinds.append("script" if n == 0 else rng.choice(KINDS))
        for day, kind in sorted(zip(days, kinds)):
            at = day.isoformat() + "T%02d:%02d:00" % (rng.randint(8, 16), rng.randint(0, 59))
            usable = [s for s in scripts if 0 <= (day - datetime.date.fromisoformat(s["consulted_on"])).days <= 365]
            script = rng.choice(usable) if kind == "script" and usable else None
            product = rng.choice(goods)
            source = script or product
            count = rng.randint(1, 4)
            total = count * source["price_cents"]
            ids["item"] += 1
            status = {"cancelled": "cancelled", "placed": "placed", "returned": "returned"}.get(kind, "collected")
            back = (day + datetime.timedelta(days=2)).isoformat() + "T15:20:00" if status == "returned" else None
            rows["medicine_orders"].append({
                "id": ids["item"], "code": "ORD-%05d" % (46000 + ids["item"]), "client_id": 1, "product_id": script["product_id"] if script else product["id"],
                "patient_id": script["patient_id"] if script else None, "authority_id": script["id"] if script else None, "quantity": count,
                "total_cents": total, "pay_by": "on_collection", "collect_from": rng.choice(("desk", "door_box")), "status": status, "ordered_at": at,
                "returned_at": back})
            if status in ("collected", "returned"):
                ids["invoice"] += 1
                ids["line"] += 1
                ids["payment"] += 1
                rows["invoices"].append({
                    "id": ids["invoice"], "code": "INV-%05d" % (46000 + ids["invoice"]), "client_id": 1, "practice": "own", "issued_on": day.isoformat(),
                    "due_on": day.isoformat(), "status": "paid"})
                rows["invoice_lines"].append({
                    "id": ids["line"], "invoice_id": ids["invoice"], "patient_id": script["patient_id"] if script else None, "appointment_id": None,
                    "medicine_order_id": ids["item"], "kind": "medicine" if script else "goods",
                    "description": "%s, %d x %s" % (source["name"], count, source["unit"]), "provided_on": day.isoformat(), "amount_cents": total})
                rows["payments"].append({
                    "id": ids["payment"], "client_id": 1, "invoice_id": ids["invoice"], "appointment_id": None, "medicine_order_id": None, "kind": "payment",
                    "amount_cents": total, "paid_at": at})
            if status == "returned":
                ids["payment"] += 1
                rows["payments"].append({
                    "id": ids["payment"], "client_id": 1, "invoice_id": None, "appointment_id": None, "medicine_order_id": ids["item"], "kind": "return_credit",
                    "amount_cents": total, "paid_at": back})
        billed = today - datetime.timedelta(days=rng.randint(3, 12))
        if billed.isoformat() in dated or billed in days:
            continue
        ids["invoice"] += 1
        rows["invoices"].append({
            "id": ids["invoice"], "code": "INV-%05d" % (46000 + ids["invoice"]), "client_id": 1, "practice": "own", "issued_on": billed.isoformat(),
            "due_on": (today + datetime.timedelta(days=rng.randint(2, 14))).isoformat(), "status": "open"})
        for what, cents in (("Farm health call", rng.randrange(150000, 240000, 500)), ("Bloods and laboratory work", rng.randrange(60000, 140000, 500))):
            ids["line"] += 1
            rows["invoice_lines"].append({
                "id": ids["line"], "invoice_id": ids["invoice"], "patient_id": None, "appointment_id": None, "medicine_order_id": None, "kind": "procedure",
                "description": what, "provided_on": (billed - datetime.timedelta(days=1)).isoformat(), "amount_cents": cents})
        yield {"p": {"first": first.isoformat(), "last": last.isoformat(), "billed": billed.isoformat()}, "given": rows}


def solve(tools, p):
    scripts = {d["id"] for d in tools.search_products(is_prescription=1)["products"]}
    invoice = next(i for i in tools.search_invoices(practice="own", status="open", first_day=p["billed"], last_day=p["billed"])["invoices"])
    credited = 0
    staying = 0
    for order in tools.search_medicine_orders(status="collected", first_day=p["first"], last_day=p["last"])["medicine_orders"]:
        if order["product_id"] in scripts:
            staying += 1
            continue
        credit = tools.return_medicine_order(medicine_order_id=order["id"])["payment"]
        invoice = tools.apply_credit(payment_id=credit["id"], invoice_id=invoice["id"])["invoice"]
        credited += credit["amount_cents"]
    return {
        "outcome": "done",
        "answers": {"credited": credited, "orders_that_stay": staying, "still_owing": invoice["owing_cents"]},
        "reason": None,
        "message": f"${credited / 100:.2f} is credited and on that invoice, which leaves ${invoice['owing_cents'] / 100:.2f} owing; {staying} orders of prescription medicines cannot come back.",
    }


def _collected(world, p):
    return world.initial.query(
        "SELECT o.id, o.total_cents, d.is_prescription FROM medicine_orders o JOIN products d ON d.id = o.product_id"
        " WHERE o.client_id = 1 AND o.status = 'collected' AND substr(o.ordered_at, 1, 10) >= ? AND substr(o.ordered_at, 1, 10) <= ? ORDER BY o.id",
        [p["first"], p["last"]])


def _coming_back(world, p):
    return {r["id"]: r["total_cents"] for r in _collected(world, p) if r["is_prescription"] == 0}


def _invoice(world, p):
    return world.initial.one(
        "SELECT i.id, (SELECT COALESCE(SUM(l.amount_cents), 0) FROM invoice_lines l WHERE l.invoice_id = i.id)"
        " - (SELECT COALESCE(SUM(x.amount_cents), 0) FROM payments x WHERE x.invoice_id = i.id) AS owing"
        " FROM invoices i WHERE i.client_id = 1 AND i.practice = 'own' AND i.status = 'open' AND i.issued_on = ?", [p["billed"]])


def _is_credit(row, back):
    return (
        row["client_id"] == 1
        and row["kind"] == "return_credit"
        and row["medicine_order_id"] in back
        and row["amount_cents"] == back[row["medicine_order_id"]]
        and row["appointment_id"] is None
    )


def goal_every_order_is_returned(world, p):
    """Every order of goods that was collected in those days is returned."""
    back = _coming_back(world, p)
    states = [world.final.one("SELECT status FROM medicine_orders WHERE id = ?", [i])["status"] for i in back]
    return len(states) > 0 and all(s == "returned" for s in states)


def goal_every_credit_is_on_the_invoice(world, p):
    """The credit of each of them is on the invoice that was named."""
    back = _coming_back(world, p)
    number = _invoice(world, p)["id"]
    got = [
        c["after"]["medicine_order_id"] for c in world.changes
        if c["table"] == "payments" and c["before"] is None and _is_credit(c["after"], back) and c["after"]["invoice_id"] == number
    ]
    return sorted(got) == sorted(back)


def goal_says_what_is_credited(world, p):
    """Says what is credited altogether."""
    return world.report.says("credited", sum(_coming_back(world, p).values()))


def goal_says_how_many_stay(world, p):
    """Says how many orders cannot come back."""
    return world.report.says("orders_that_stay", sum(r["is_prescription"] for r in _collected(world, p)))


def goal_says_what_is_owing(world, p):
    """Says what is still owing on the invoice."""
    return world.report.says("still_owing", _invoice(world, p)["owing"] - sum(_coming_back(world, p).values()))


def guard_changes_nothing_else(world, p):
    """Changed nothing but those orders and their credits, each once."""
    back = _coming_back(world, p)
    number = _invoice(world, p)["id"]
    seen = []
    for c in world.changes:
        if c["after"] is None:
            return False
        if c["table"] == "payments" and c["before"] is None:
            row = c["after"]
            if not _is_credit(row, back) or row["invoice_id"] not in (None, number) or row["medicine_order_id"] in seen:
                return False
            seen.append(row["medicine_order_id"])
        elif c["table"] == "medicine_orders" and c["before"] is not None and c["before"]["id"] in back:
            if {k for k in c["after"] if c["before"][k] != c["after"][k]} - {"status", "returned_at"} or c["after"]["status"] != "returned":
                return False
        else:
            return False
    return True


def guard_reports_it_as_done(world, p):
    """Reports that it is done, for no rule."""
    return world.report.outcome in (None, "done") and world.report.reason is None
