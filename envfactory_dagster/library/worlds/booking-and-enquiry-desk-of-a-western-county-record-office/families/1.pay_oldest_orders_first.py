import datetime

FOLIOS = ("1–6", "12–19", "30, 31", "44–52", "7, 9, 11", "60–63")


def _earlier(day, days):
    return (datetime.date.fromisoformat(day) - datetime.timedelta(days=days)).isoformat()


def instances(world, rng):
    """A reader with six to nine unpaid orders, and money that is enough for the oldest ones only."""
    today = world.clock[:10]
    readers = world.query(
        "SELECT r.id, r.forenames || ' ' || r.surname AS name, r.town FROM readers r WHERE r.role = 'reader'"
        " AND NOT EXISTS (SELECT 1 FROM copy_quotes q WHERE q.reader_id = r.id) ORDER BY r.id",
        [],
    )
    prices = world.query("SELECT id, unit_cents FROM copy_prices WHERE product IN ('a4_photocopy', 'a3_photocopy', 'pdf_scan_page') ORDER BY id", [])
    pieces = world.query("SELECT id FROM pieces WHERE staff_copy_allowed = 1 AND format = 'bundle' AND location <> 'missing' ORDER BY id", [])
    tops = world.one("SELECT (SELECT max(id) FROM copy_quotes) AS q, (SELECT max(id) FROM copy_quote_lines) AS l, (SELECT max(id) FROM copy_orders) AS o", [])
    for _ in range(2000):
        reader, number = rng.choice(readers), rng.randrange(6, 10)
        ages = sorted(rng.sample(range(1, 25), number), reverse=True)
        quotes, lines, orders, totals = [], [], [], []
        for place, age in enumerate(ages):
            quoted, placed = _earlier(today, age + 2), _earlier(today, age)
            total = 0
            for _ in range(rng.choice([1, 1, 1, 2])):
                price = rng.choice(prices)
                units = rng.randrange(5, 22)
                total += units * price["unit_cents"]
                lines.append({"id": tops["l"] + 1 + len(lines), "copy_quote_id": tops["q"] + 1 + place, "piece_id": rng.choice(pieces)["id"], "copy_price_id": price["id"], "pages": rng.choice(FOLIOS), "units": units, "unit_cents": price["unit_cents"], "barred_reason": None})
            totals.append(max(500, total))
            quotes.append({"id": tops["q"] + 1 + place, "quote_no": f"Q-{30001 + place:05d}", "reader_id": reader["id"], "enquiry_id": None, "customer_name": reader["name"], "quoted_on": quoted, "valid_until": _earlier(quoted, -30)})
            orders.append({"id": tops["o"] + 1 + place, "order_no": f"C-{30001 + place:05d}", "copy_quote_id": tops["q"] + 1 + place, "declaration_signed_on": placed, "purpose": "research", "delivery": "collect_at_desk", "delivery_cents": 0, "status": "placed", "placed_at": placed + f"T{rng.randrange(10, 16)}:15:00", "payment_method": None, "paid_cents": None, "paid_at": None, "started_at": None, "ready_at": None, "handed_over_at": None, "cancelled_at": None, "refunded_at": None, "refunded_cents": None})
        if max(totals) > 9000:
            continue
        count = rng.randrange(3, number)
        spent = sum(totals[:count])
        budget = (spent + rng.randrange(0, totals[count])) // 100 * 100
        if not spent <= budget < spent + totals[count] or budget > 20000 or budget == spent:
            continue
        pay = {str(o["id"]): total for o, total in zip(orders[:count], totals)}
        yield {
            "p": {"name": reader["name"], "town": reader["town"], "budget": budget, "pay": pay, "left": budget - spent},
            "given": {"copy_quotes": quotes, "copy_quote_lines": lines, "copy_orders": orders},
        }


def solve(tools, p):
    found = tools.find_readers(surname=p["name"].split()[-1])["readers"]
    ticket = next(r["ticket_no"] for r in found if r["name"] == p["name"] and r["town"] == p["town"])
    record = tools.get_reader(ticket_no=ticket, include=["copy_orders"])
    unpaid = [order for order in record["copy_orders"] if order["status"] == "awaiting_payment"]
    left, paid = p["budget"], 0
    for order in sorted(unpaid, key=lambda o: o["placed_at"]):
        if order["owing_cents"] > left:
            break
        tools.update_copy_order(order_id=order["order_id"], step="payment", amount_cents=order["owing_cents"], method="cash")
        left -= order["owing_cents"]
        paid += 1
    return {
        "outcome": "done",
        "answers": {"orders_paid": paid, "money_left": left},
        "reason": None,
        "message": f"{paid} of the orders of {p['name']} are paid, and {left / 100:.2f} euro are left.",
    }


def goal_pays_the_oldest_orders(world, p):
    """The oldest orders, as far as the money goes, are paid in full and in cash."""
    for key, cents in p["pay"].items():
        row = world.final.one("SELECT status, payment_method, paid_cents FROM copy_orders WHERE id = ?", [int(key)])
        if row != {"status": "paid", "payment_method": "cash", "paid_cents": cents}:
            return False
    return True


def goal_says_how_many_are_paid(world, p):
    """Says how many orders were paid."""
    return world.report.says("orders_paid", len(p["pay"]))


def goal_says_what_is_left(world, p):
    """Says how much money is left."""
    return world.report.says("money_left", p["left"])


def guard_changes_only_the_orders_paid(world, p):
    """Changed nothing but the payment of the orders that the money covers."""
    allowed = ("status", "payment_method", "paid_cents", "paid_at")
    for change in world.changes:
        before, after = change["before"], change["after"]
        if change["table"] != "copy_orders" or before is None or after is None or str(before["id"]) not in p["pay"]:
            return False
        if any(before[column] != after[column] for column in before if column not in allowed):
            return False
    return True


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")
