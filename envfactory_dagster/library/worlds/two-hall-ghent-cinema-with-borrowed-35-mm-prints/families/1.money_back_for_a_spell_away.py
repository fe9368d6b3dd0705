import datetime

FREE_STARTS = ("10:15", "14:45", "19:45")


def _structured(number):
    body = "099" + str(number % 10000000).zfill(7)
    body += str(int(body) % 97 or 97).zfill(2)
    return "+++" + body[:3] + "/" + body[3:7] + "/" + body[7:] + "+++"


def _plus(day, days):
    return (datetime.date.fromisoformat(day) + datetime.timedelta(days=days)).isoformat()


def _fits(ticket, clock):
    """Whether a ticket held by a member still brings back money."""
    left = datetime.datetime.fromisoformat(ticket["starts_at"]) - datetime.datetime.fromisoformat(clock)
    bought = datetime.date.fromisoformat(ticket["bought_at"][:10])
    days = (datetime.date.fromisoformat(clock[:10]) - bought).days
    return ticket["pass_id"] is None and ticket["voucher_cents"] == 0 and left > datetime.timedelta(hours=24) and days <= 14


def instances(world, rng):
    """A span of days ahead in which the person, a member, holds tickets that bring back money and others that do not."""
    today = world.clock[:10]
    copies = world.query(
        "SELECT c.id FROM copies c JOIN titles t ON t.id = c.title_id WHERE c.carrier = 'DCP' AND c.key_from IS NULL AND t.kijkwijzer_age < 16 ORDER BY c.id")
    taken = {(row["hall_id"], row["day"]) for row in world.query(
        "SELECT hall_id, substr(starts_at, 1, 10) AS day FROM screenings WHERE status <> 'cancelled'"
        " UNION SELECT hall_id, substr(starts_at, 1, 10) FROM hall_bookings WHERE status IN ('option', 'confirmed')")}
    held = world.query(
        "SELECT k.pass_id, k.voucher_cents, k.bought_at, k.price_cents, s.starts_at FROM tickets k JOIN screenings s ON s.id = k.screening_id"
        " WHERE k.account_id = 1 AND k.status = 'valid' AND s.starts_at > ? ORDER BY k.id", [world.clock])
    top = world.one("SELECT (SELECT MAX(id) FROM screenings) AS s, (SELECT MAX(id) FROM tickets) AS k, (SELECT MAX(id) FROM payments) AS p")
    while True:
        first = _plus(today, rng.randint(2, 30))
        last = _plus(first, rng.randint(8, 18))
        days = [_plus(first, n) for n in range((datetime.date.fromisoformat(last) - datetime.date.fromisoformat(first)).days + 1)]
        free = [(hall, day) for hall in (1, 2) for day in days if (hall, day) not in taken]
        if len(free) < 8:
            continue
        screenings, payments, tickets, mine = [], [], [], []
        for hall, day in rng.sample(free, rng.randint(3, 5)):
            start = day + "T" + rng.choice(FREE_STARTS) + ":00"
            sale = _plus(today, -rng.choice((40, 50, 60)))
            screening = top["s"] + 1 + len(screenings)
            screenings.append({
                "id": screening, "copy_id": rng.choice(copies)["id"], "hall_id": hall, "starts_at": start, "kind": "public",
                "is_preview": 0, "sale_opens_at": sale + "T10:00:00", "seats_held": rng.randint(5, 40), "status": "scheduled",
            })
            ago = rng.choice((2, 5, 9, 12, 13, 14, 15, 16, 20, 33))
            bought = _plus(today, -ago) + "T" + rng.choice(("08:40", "12:15", "19:05")) + ":00"
            payment = top["p"] + 1 + len(payments)
            count = rng.randint(1, 2)
            payments.append({
                "id": payment, "account_id": 1, "amount_cents": 1100 * count, "method": "bancontact",
                "structured_communication": _structured(7000 + payment), "paid_at": bought, "refunded_cents": 0,
            })
            for _ in range(count):
                tickets.append({
                    "id": top["k"] + 1 + len(tickets), "screening_id": screening, "account_id": 1, "tariff": "standard", "price_cents": 1100,
                    "voucher_cents": 0, "payment_id": payment, "bought_at": bought, "swapped": 0, "status": "valid",
                })
                mine.append({"pass_id": None, "voucher_cents": 0, "bought_at": bought, "starts_at": start, "price_cents": 1100})
        inside = [k for k in held + mine if first <= k["starts_at"][:10] <= last]
        fitting = [k for k in inside if _fits(k, world.clock)]
        if not fitting or len(fitting) == len(inside) or len({k["starts_at"] for k in inside}) < 4:
            continue
        yield {"p": {"first": first, "last": last, "now": world.clock}, "given": {"screenings": screenings, "payments": payments, "tickets": tickets}}


def solve(tools, p):
    tickets = tools.list_my_tickets(status="valid", first_day=p["first"], last_day=p["last"])["tickets"]
    back = {}
    kept = 0
    for ticket in tickets:
        refund = tools.get_ticket_refund(ticket_id=ticket["id"])
        if refund["money_cents"] > 0:
            back.setdefault(ticket["screening_id"], []).append(ticket["id"])
        else:
            kept += 1
    money = 0
    for ids in back.values():
        money += tools.return_tickets(ticket_ids=ids)["money_cents"]
    return {
        "outcome": "done",
        "answers": {"money_back": money, "tickets_kept": kept},
        "reason": None,
        "message": f"{sum(len(ids) for ids in back.values())} tickets are handed in for {money / 100:.2f} euros, and you keep {kept}.",
    }


def _inside(world, p):
    rows = world.initial.query(
        "SELECT k.id, k.pass_id, k.voucher_cents, k.bought_at, k.price_cents, k.payment_id, k.tariff, s.starts_at, c.carrier FROM tickets k"
        " JOIN screenings s ON s.id = k.screening_id JOIN copies c ON c.id = s.copy_id WHERE k.account_id = 1 AND k.status = 'valid'"
        " AND substr(s.starts_at, 1, 10) BETWEEN ? AND ? ORDER BY k.id", [p["first"], p["last"]])
    return [k for k in rows if _fits(k, p["now"])], [k for k in rows if not _fits(k, p["now"])]


def goal_all_that_bring_money_are_returned(world, p):
    """Every ticket of those days that brings money back is returned for its price."""
    rows = [world.final.one("SELECT status, refunded_money_cents FROM tickets WHERE id = ?", [k["id"]]) for k in _inside(world, p)[0]]
    return all(r["status"] == "returned" for r in rows) and [r["refunded_money_cents"] for r in rows] == [k["price_cents"] for k in _inside(world, p)[0]]


def goal_money_is_paid_back(world, p):
    """The payments of these tickets are refunded by what they cost."""
    due = {}
    for k in _inside(world, p)[0]:
        due[k["payment_id"]] = due.get(k["payment_id"], 0) + k["price_cents"]
    for payment, cents in due.items():
        before = world.initial.one("SELECT refunded_cents AS n FROM payments WHERE id = ?", [payment])["n"]
        if world.final.one("SELECT refunded_cents AS n FROM payments WHERE id = ?", [payment])["n"] != before + cents:
            return False
    return True


def goal_says_money_back(world, p):
    """Says how much money comes back in all."""
    return world.report.says("money_back", sum(k["price_cents"] for k in _inside(world, p)[0]))


def goal_says_tickets_kept(world, p):
    """Says how many tickets of those days are kept."""
    return world.report.says("tickets_kept", len(_inside(world, p)[1]))


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_nothing_else(world, p):
    """Changed only these tickets and their payments, and took back the discount of those at the members' price."""
    fitting = _inside(world, p)[0]
    tickets = [k["id"] for k in fitting]
    payments = [k["payment_id"] for k in fitting]
    for c in world.changes:
        before, after = c["before"], c["after"]
        if before is None or after is None:
            return False
        if c["table"] == "tickets" and before["id"] in tickets:
            allowed = ("status", "returned_at", "refunded_money_cents")
        elif c["table"] == "payments" and before["id"] in payments:
            allowed = ("refunded_cents",)
        elif c["table"] == "memberships" and before["account_id"] == 1:
            allowed = ("discount_enjoyed_cents",)
            gone = [k for k in fitting if k["tariff"] == "member" and before["starts_on"] <= k["starts_at"][:10] <= before["ends_on"]
                    and world.final.one("SELECT status AS state FROM tickets WHERE id = ?", [k["id"]])["state"] == "returned"]
            if before["discount_enjoyed_cents"] - after["discount_enjoyed_cents"] != sum(450 if k["carrier"] == "35mm" else 300 for k in gone):
                return False
        else:
            return False
        if any(before[f] != after[f] for f in before if f not in allowed):
            return False
    return True
