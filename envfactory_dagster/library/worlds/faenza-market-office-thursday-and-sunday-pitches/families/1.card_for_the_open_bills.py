QUARTERS = (("2025-Q3", "2025-10-10"), ("2025-Q4", "2026-01-10"), ("2026-Q1", "2026-04-10"), ("2026-Q2", "2026-07-10"),
            ("2026-Q3", "2026-10-10"))


def _owed(amount):
    """What is owed on a late bill."""
    return amount + (amount * 5 + 50) // 100


def instances(world, rng):
    """A holder with two or three late bills and a sum that covers the oldest of them, or all."""
    holders = world.query(
        "SELECT c.id, t.name AS holder, p.length_cm AS length, k.holder_cents_per_metre AS price"
        " FROM concessions c JOIN traders t ON t.id = c.trader_id JOIN pitches p ON p.id = c.pitch_id"
        " JOIN price_categories k ON k.id = t.price_category_id"
        " WHERE c.status = 'active' AND c.granted_on < '2025-01-01'"
        " AND NOT EXISTS (SELECT 1 FROM quarterly_bills q JOIN concessions d ON d.id = q.concession_id"
        "  WHERE d.trader_id = c.trader_id) ORDER BY c.id")
    last = world.one("SELECT max(id) AS id, max(code) AS code FROM quarterly_bills")
    late = [q for q in QUARTERS if q[1] < world.clock[:10]]
    for _ in range(600):
        one = rng.choice(holders)
        quarters = late[-rng.choice((2, 3, 3)):]
        bills = []
        for number, (quarter, due) in enumerate(quarters, 1):
            bills.append({
                "id": last["id"] + number, "code": "BIL-%05d" % (int(last["code"][4:]) + number), "concession_id": one["id"],
                "quarter": quarter, "amount_cents": one["length"] * one["price"] // 100 * rng.choice((10, 11, 12, 13)),
                "due_on": due, "status": "open", "paid_on": None})
        sums = [_owed(bill["amount_cents"]) for bill in bills]
        covered = rng.randint(1, len(bills))
        need = sum(sums[:covered])
        limit = (need // 1000 + 1) * 1000
        if covered < len(bills):
            limit += rng.choice((0, 1000, 2000, 4000))
            if any(limit - need >= rest for rest in sums[covered:]):
                continue
        yield {
            "p": {"holder": one["holder"], "limit": limit, "concession": one["id"]},
            "given": {"quarterly_bills": bills}}


def solve(tools, p):
    trader = next(t for t in tools.search_traders(name_contains=p["holder"])["traders"] if t["name"] == p["holder"])
    bills = []
    for concession in tools.search_concessions(trader_id=trader["id"])["concessions"]:
        bills += tools.list_quarterly_bills(concession_id=concession["id"], status="open")["quarterly_bills"]
    bills.sort(key=lambda bill: bill["due_on"])
    paid = 0
    owed = sum(bill["owed_cents"] for bill in bills)
    for bill in bills:
        if paid + bill["owed_cents"] > p["limit"]:
            break
        tools.record_bill_payment(quarterly_bill_id=bill["id"], amount_cents=bill["owed_cents"], method="card")
        paid += bill["owed_cents"]
    return {
        "outcome": "done",
        "answers": {"paid": paid, "still_owed": owed - paid},
        "reason": None,
        "message": "%s has paid %.2f euro by card; %.2f euro are still owed." % (p["holder"], paid / 100, (owed - paid) / 100),
    }


def _bills(world, p):
    """The open bills at the start, oldest first: those that the sum covers and the others."""
    rows = world.initial.query(
        "SELECT q.id, q.amount_cents, c.trader_id FROM quarterly_bills q JOIN concessions c ON c.id = q.concession_id"
        " WHERE q.concession_id = ? AND q.status = 'open' ORDER BY q.due_on", [p["concession"]])
    take, total = [], 0
    for row in rows:
        row["owed"] = _owed(row["amount_cents"])
        if total + row["owed"] > p["limit"]:
            break
        total += row["owed"]
        take.append(row)
    return take, rows[len(take):]


def goal_pays_what_the_card_covers(world, p):
    """Every bill that the sum covers is paid by card, with the surcharge, in one payment of the holder."""
    take = _bills(world, p)[0]
    for bill in take:
        row = world.final.one("SELECT status FROM quarterly_bills WHERE id = ?", [bill["id"]])
        pays = world.final.query(
            "SELECT trader_id, kind, amount_cents, method FROM payments WHERE quarterly_bill_id = ?", [bill["id"]])
        if row["status"] != "paid" or pays != [{
                "trader_id": bill["trader_id"], "kind": "quarterly_bill", "amount_cents": bill["owed"], "method": "card"}]:
            return False
    return bool(take)


def goal_says_what_was_paid(world, p):
    """Says what has gone off the card."""
    return world.report.says("paid", sum(bill["owed"] for bill in _bills(world, p)[0]))


def goal_says_what_is_still_owed(world, p):
    """Says what is still owed, surcharge included."""
    return world.report.says("still_owed", sum(_owed(bill["amount_cents"]) for bill in _bills(world, p)[1]))


def guard_touches_no_other_bill(world, p):
    """Changed nothing but the state of the bills that the sum covers, and added one payment for each of them."""
    ids = [bill["id"] for bill in _bills(world, p)[0]]
    paid = []
    for change in world.changes:
        before, after = change["before"], change["after"]
        if after is None:
            return False
        if change["table"] == "payments":
            if before is not None or after["quarterly_bill_id"] not in ids:
                return False
            paid.append(after["quarterly_bill_id"])
        elif change["table"] == "quarterly_bills":
            if before is None or before["id"] not in ids:
                return False
            if any(before[k] != after[k] for k in before if k not in ("status", "paid_on")):
                return False
        else:
            return False
    return len(paid) == len(set(paid))


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")
