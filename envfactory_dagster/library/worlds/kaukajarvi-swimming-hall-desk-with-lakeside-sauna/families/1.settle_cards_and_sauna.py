import datetime

METHODS = (("by card", "card"), ("in cash", "cash"))


def _plus(day, n):
    return (datetime.date.fromisoformat(day) + datetime.timedelta(days=n)).isoformat()


def _months(day, n):
    year, month = int(day[:4]) + (int(day[5:7]) - 1 + n) // 12, (int(day[5:7]) - 1 + n) % 12 + 1
    return f"{year}-{month:02d}-{min(int(day[8:]), 28):02d}"


def instances(world, rng):
    """A grown-up with two or three cards and turns, on one or two of which money is missing."""
    today = world.clock[:10]
    people = world.query(
        "SELECT c.id, c.name, c.discount_group FROM customers c WHERE c.guardian_id IS NULL AND c.born_on < '1999-01-01' AND c.born_on > '1962-01-01' AND c.discount_group IS NULL"
        " AND NOT EXISTS (SELECT 1 FROM season_cards s WHERE s.customer_id = c.id AND s.ends_on >= ?) ORDER BY c.name, c.id",
        [today],
    )
    small = world.query("SELECT turn_on, starts_at, ends_at FROM sauna_turns WHERE sauna = 'small' AND status = 'booked' ORDER BY turn_on")
    top = {t: world.one(q)["n"] + 1 for t, q in (
        ("sauna_turns", "SELECT max(id) AS n FROM sauna_turns"), ("season_cards", "SELECT max(id) AS n FROM season_cards"),
        ("ten_visit_cards", "SELECT max(id) AS n FROM ten_visit_cards"), ("payments", "SELECT max(id) AS n FROM payments"))}
    while True:
        who = rng.choice(people)
        kinds = rng.sample(("booked", "cancelled", "ten", "season"), rng.randint(2, 3))
        short = set(rng.sample(kinds, rng.choice((1, 1, 2)) if len(kinds) > 1 else 1))
        given = {"sauna_turns": [], "season_cards": [], "ten_visit_cards": [], "payments": []}
        owed, fine = {}, True

        def pay(amount, at, purpose, column, number):
            if amount:
                given["payments"].append({"id": top["payments"] + len(given["payments"]), "customer_id": who["id"], "kind": "charge", "method": rng.choice(("card", "cash")), "amount_cents": amount,
                                          "purpose": purpose, column: number, "paid_at": at, "recorded_by": 1})

        for kind in kinds:
            ago = rng.randint(3, 20)
            at = _plus(today, -ago) + f"T{rng.randint(13, 16)}:{rng.choice((0, 10, 25, 40, 55)):02d}:00"
            if kind in ("booked", "cancelled"):
                on = _plus(today, rng.randint(5, 25) if kind == "booked" else -rng.randint(1, ago - 1))
                weekday = datetime.date.fromisoformat(on).isoweekday()
                start, end = ("15:00", "16:30") if weekday <= 5 else ("17:00", "18:30")
                if any(r["turn_on"] == on and r["starts_at"] < end and r["ends_at"] > start for r in small) or on in ("2026-04-03", "2026-05-01"):
                    fine = False
                    break
                number = top["sauna_turns"] + len(given["sauna_turns"])
                row = {"id": number, "kind": "private", "customer_id": who["id"], "sauna": "small", "turn_on": on, "starts_at": start, "ends_at": end, "price_cents": 5500,
                       "status": kind, "free_moves": 0, "booked_at": at, "fee_cents": 0, "recorded_by": 1}
                due = 5500
                if kind == "cancelled":
                    due = rng.choice((2750, 5500))
                    before = _plus(on, -2 if due == 2750 else -1) + ("T15:10:00" if due == 2750 else "T18:45:00")
                    if before <= at:
                        fine = False
                        break
                    row.update({"cancelled_at": before, "cancelled_by_id": who["id"], "fee_cents": due})
                given["sauna_turns"].append(row)
                paid = rng.choice((0, 2000, 2500)) if kind in short else due
                pay(paid, at, "sauna_turn", "sauna_turn_id", number)
            elif kind == "ten":
                number, day = top["ten_visit_cards"] + len(given["ten_visit_cards"]), at[:10]
                given["ten_visit_cards"].append({"id": number, "card_number": f"KM-3{rng.randint(4000, 8999)}", "customer_id": who["id"], "discounted": 0, "price_cents": 6000, "visits_left": rng.randint(5, 10),
                                                 "sold_on": day, "expires_on": str(int(day[:4]) + 2) + day[4:], "recorded_by": 1})
                due = 6000
                paid = rng.choice((0, 3000, 4000, 5000)) if kind in short else due
                pay(paid, at, "ten_visit_card", "ten_visit_card_id", number)
            else:
                number, day = top["season_cards"] + len(given["season_cards"]), at[:10]
                due = 14500
                given["season_cards"].append({"id": number, "card_number": f"KK-2{rng.randint(4000, 8999)}", "customer_id": who["id"], "kind": "4_months", "discounted": 0, "price_cents": due,
                                              "starts_on": day, "ends_on": _plus(_months(day, 4), -1), "status": "valid", "misuse_count": 0, "sold_at": at, "recorded_by": 1})
                paid = rng.choice((8000, 10000, 12000)) if kind in short else due
                pay(paid, at, "season_card", "season_card_id", number)
            if due > paid:
                owed[kind] = due - paid
        if not fine or not owed:
            continue
        yield {"p": {"who": who["name"], "how": rng.choice(("by card", "in cash")), "customer": who["id"]}, "given": {t: rows for t, rows in given.items() if rows}}


def solve(tools, p):
    who = next(c for c in tools.search_customers(name=p["who"])["customers"] if c["name"] == p["who"])
    method = dict(METHODS)[p["how"]]
    total = 0
    things = [("season_card", "season_card_id", c["id"], c["price_cents"]) for c in tools.list_season_cards(customer_id=who["id"])["season_cards"]]
    things += [("ten_visit_card", "ten_visit_card_id", c["id"], c["price_cents"]) for c in tools.list_ten_visit_cards(customer_id=who["id"])["ten_visit_cards"]]
    things += [
        ("sauna_turn", "sauna_turn_id", t["id"], t["price_cents"] if t["status"] == "booked" else t["fee_cents"])
        for t in tools.list_sauna_turns(customer_id=who["id"])["sauna_turns"]
    ]
    paid = {purpose: tools.list_payments(purpose=purpose)["payments"] for purpose in ("season_card", "ten_visit_card", "sauna_turn")}
    for purpose, column, number, due in things:
        open_sum = due - sum(x["amount_cents"] if x["kind"] == "charge" else -x["amount_cents"] for x in paid[purpose] if x[column] == number)
        if open_sum > 0:
            tools.take_payment(customer_id=who["id"], method=method, amount_cents=open_sum, purpose=purpose, **{column: number})
            total += open_sum
    return {"outcome": "done", "answers": {"sum_paid": total}, "reason": None, "message": f"{p['who']} has paid the {total / 100:.2f} euros that were still open."}


def _open(db, p):
    """What is missing on each card and private turn of this person, by purpose and id."""
    found = {}
    for purpose, rows in (
        ("season_card", db.query("SELECT s.id, s.price_cents AS due, (SELECT coalesce(sum(CASE y.kind WHEN 'charge' THEN y.amount_cents ELSE -y.amount_cents END), 0) FROM payments y WHERE y.purpose = 'season_card' AND y.season_card_id = s.id) AS paid FROM season_cards s WHERE s.customer_id = ? ORDER BY s.id", [p["customer"]])),
        ("ten_visit_card", db.query("SELECT s.id, s.price_cents AS due, (SELECT coalesce(sum(CASE y.kind WHEN 'charge' THEN y.amount_cents ELSE -y.amount_cents END), 0) FROM payments y WHERE y.ten_visit_card_id = s.id) AS paid FROM ten_visit_cards s WHERE s.customer_id = ? ORDER BY s.id", [p["customer"]])),
        ("sauna_turn", db.query("SELECT s.id, CASE s.status WHEN 'booked' THEN s.price_cents ELSE s.fee_cents END AS due, (SELECT coalesce(sum(CASE y.kind WHEN 'charge' THEN y.amount_cents ELSE -y.amount_cents END), 0) FROM payments y WHERE y.sauna_turn_id = s.id) AS paid FROM sauna_turns s WHERE s.customer_id = ? ORDER BY s.id", [p["customer"]])),
    ):
        for row in rows:
            if row["due"] > row["paid"]:
                found[(purpose, row["id"])] = row["due"] - row["paid"]
    return found


def goal_nothing_is_open_any_more(world, p):
    """Everything that was open for cards and private turns is paid in full."""
    return _open(world.final, p) == {}


def goal_says_the_sum(world, p):
    """Says how much was open and is paid now."""
    return world.report.says("sum_paid", sum(_open(world.initial, p).values()))


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_gives_no_reason(world, p):
    """Gives no rule as a reason."""
    return world.report.reason is None


def guard_adds_payments_for_what_is_open_only(world, p):
    """Added no payment but from this person, the way it was said, for something that was open and not beyond it."""
    due = _open(world.initial, p)
    for change in world.changes:
        if change["table"] != "payments" or change["before"] is not None or change["after"] is None:
            return False
        row = change["after"]
        key = (row["purpose"], row["season_card_id"] or row["ten_visit_card_id"] or row["sauna_turn_id"])
        if row["kind"] != "charge" or row["customer_id"] != p["customer"] or row["method"] != dict(METHODS)[p["how"]] or key not in due:
            return False
        due[key] -= row["amount_cents"]
        if due[key] < 0:
            return False
    return True
