import datetime

NAMES = ("Sildra", "Vesla", "Gullmåken", "Fjordrosa", "Blåtind", "Havørna", "Stjerna", "Kvikk", "Solvår", "Brimnes")


def _day(text):
    return datetime.date.fromisoformat(text[:10])


def _plus(text, days):
    return (_day(text) + datetime.timedelta(days=days)).isoformat()


def _plan(rows, p):
    """What is to be paid, by id of the invoice, and what is left on the others that are due until then."""
    money, pay, rest, after_skip = p["budget"], {}, 0, False
    for row in sorted(rows, key=lambda r: r["due_on"]):
        left = row["amount_cents"] - row["paid_cents"]
        if left <= 0 or row["due_on"] > p["until"]:
            continue
        if left <= money:
            money -= left
            pay[row["id"]] = left
            after_skip = after_skip or rest > 0
        else:
            rest += left
    return {"pay": pay, "rest": rest, "after_skip": after_skip}


def _draw(world, rng, berths, taken):
    """Guest stays of one more boat of the user's in the last weeks, each with its invoice, few of them paid."""
    today = world.clock[:10]
    boat = {
        "id": 5001,
        "boat_owner_id": 1,
        "name": rng.choice(NAMES),
        "length_cm": rng.randrange(480, 630, 10),
        "beam_cm": rng.randrange(180, 225, 5),
        "draught_cm": rng.randrange(50, 85, 5),
        "weight_kg": rng.randrange(700, 1900, 50),
    }
    stays, invoices, payments = [], [], []
    end = _plus(today, -rng.randint(2, 8))
    for _ in range(rng.randint(5, 8)):
        nights = rng.randint(1, 7)
        start = _plus(end, -nights)
        free = [
            berth
            for berth in berths
            if not any(t["berth_id"] == berth["id"] and t["first_day"] < end and t["last_day"] > start for t in taken)
        ]
        if free:
            berth = rng.choice(free)
            stays.append(
                {
                    "id": 0,
                    "boat_id": 5001,
                    "berth_id": berth["id"],
                    "absence_notice_id": None,
                    "first_day": start,
                    "last_day": end,
                    "night_price_cents": berth["night_price_cents"],
                    "status": "completed",
                    "booked_at": f"{_plus(start, -rng.randint(2, 15))}T{rng.randint(8, 20):02d}:30:00",
                    "cancelled_at": None,
                }
            )
        end = _plus(start, -rng.randint(2, 12))
    stays.reverse()
    number = rng.randint(4000, 8500)
    for index, stay in enumerate(stays):
        stay["id"] = 5001 + index
        number += rng.randint(3, 40)
        nights = (_day(stay["last_day"]) - _day(stay["first_day"])).days
        issued = _plus(stay["last_day"], 1)
        invoice = {
            "id": 5001 + index,
            "boat_owner_id": 1,
            "invoice_number": f"SKV-{number:05d}",
            "berth_lease_id": None,
            "guest_stay_id": stay["id"],
            "crane_lift_id": None,
            "shed_place_id": None,
            "amount_cents": nights * stay["night_price_cents"],
            "issued_on": issued,
            "due_on": _plus(issued, 30),
        }
        invoices.append(invoice)
        way = rng.choice(("nothing", "nothing", "nothing", "part", "part", "all"))
        cents = {"nothing": 0, "part": invoice["amount_cents"] // 3 // 1000 * 1000, "all": invoice["amount_cents"]}[way]
        paid_on = _plus(issued, rng.randint(0, 6))
        if cents and paid_on < today:
            payments.append(
                {
                    "id": 5001 + len(payments),
                    "invoice_id": invoice["id"],
                    "amount_cents": cents,
                    "paid_at": f"{paid_on}T{rng.randint(8, 21):02d}:05:00",
                }
            )
    return {"boats": [boat], "guest_stays": stays, "invoices": invoices, "payments": payments}


def instances(world, rng):
    """Unpaid invoices, due on different days, and an amount that pays several of them and not all."""
    today = world.clock[:10]
    berths = world.query("SELECT night_price_cents, id FROM berths WHERE kind = 'guest' ORDER BY night_price_cents, id")
    taken = world.query("SELECT berth_id, first_day, last_day FROM guest_stays WHERE status IN ('booked', 'completed') ORDER BY id")
    before = world.query(
        "SELECT i.id, i.due_on, i.amount_cents, (SELECT coalesce(sum(p.amount_cents), 0) FROM payments p"
        " WHERE p.invoice_id = i.id) AS paid_cents FROM invoices i WHERE i.boat_owner_id = 1 ORDER BY i.due_on, i.id"
    )
    plain, tricky = 0, 0
    for _ in range(4000):
        given = _draw(world, rng, berths, taken)
        rows = list(before)
        for invoice in given["invoices"]:
            paid = sum(p["amount_cents"] for p in given["payments"] if p["invoice_id"] == invoice["id"])
            rows.append(
                {"id": invoice["id"], "due_on": invoice["due_on"], "amount_cents": invoice["amount_cents"], "paid_cents": paid}
            )
        open_rows = [r for r in rows if r["paid_cents"] < r["amount_cents"]]
        if len({r["due_on"] for r in open_rows}) != len(open_rows):
            continue
        until = _plus(today, rng.randint(-6, 30))
        total = sum(r["amount_cents"] - r["paid_cents"] for r in open_rows if r["due_on"] <= until)
        if total < 100000:
            continue
        p = {"budget": rng.randrange(60000, total, 5000) if total > 65000 else 60000, "until": until}
        plan = _plan(rows, p)
        if len(plan["pay"]) < 2 or not plan["rest"]:
            continue
        if not plan["after_skip"]:
            if plain * 3 > tricky:
                continue
            plain += 1
        else:
            tricky += 1
        yield {"p": p, "given": {table: some for table, some in given.items() if some}}


def solve(tools, p):
    invoices = tools.list_my_invoices(state="unpaid", last_due_day=p["until"])["invoices"]
    money, paid, count, rest = p["budget"], 0, 0, 0
    for invoice in sorted(invoices, key=lambda row: row["due_on"]):
        if invoice["left_cents"] <= money:
            tools.pay_invoice(invoice_id=invoice["id"], amount_cents=invoice["left_cents"])
            money -= invoice["left_cents"]
            paid += invoice["left_cents"]
            count += 1
        else:
            rest += invoice["left_cents"]
    return {
        "outcome": "done",
        "answers": {"invoices_paid": count, "paid": paid, "still_owed": rest},
        "reason": None,
        "message": f"{count} invoices are paid, {paid / 100:.2f} kroner together; {rest / 100:.2f} kroner are left on the others.",
    }


def _right(world, p):
    rows = world.initial.query(
        "SELECT v.id, v.due_on, v.amount_cents, coalesce(sum(y.amount_cents), 0) AS paid_cents FROM invoices v"
        " LEFT JOIN payments y ON y.invoice_id = v.id WHERE v.boat_owner_id = 1 AND v.due_on <= ? GROUP BY v.id",
        [p["until"]],
    )
    return _plan(rows, p)


def _paid_now(world):
    paid = {}
    for change in world.changes:
        if change["table"] == "payments" and change["before"] is None:
            row = change["after"]
            paid[row["invoice_id"]] = paid.get(row["invoice_id"], 0) + row["amount_cents"]
    return paid


def goal_pays_all_that_the_money_covers(world, p):
    """Paid in full each invoice that the rest of the money covered, the one due first first."""
    wanted = _right(world, p)["pay"]
    return bool(wanted) and _paid_now(world) == wanted


def goal_says_how_many_are_paid(world, p):
    """Says how many invoices were paid."""
    return world.report.says("invoices_paid", len(_right(world, p)["pay"]))


def goal_says_what_was_paid(world, p):
    """Says what was paid altogether."""
    return world.report.says("paid", sum(_right(world, p)["pay"].values()))


def goal_says_what_is_still_owed(world, p):
    """Says what is left on the invoices due until then that were not paid."""
    return world.report.says("still_owed", _right(world, p)["rest"])


def guard_pays_nothing_else(world, p):
    """Changed nothing but payments of the invoices that were to be paid, and of no more than was left on them."""
    wanted = _right(world, p)["pay"]
    if any(c["table"] != "payments" or c["before"] is not None for c in world.changes):
        return False
    return all(cents <= wanted.get(invoice, 0) for invoice, cents in _paid_now(world).items())


def guard_reports_it_as_done(world, p):
    """Reports that it is done, with no rule as a reason."""
    return world.report.outcome is None or (world.report.outcome == "done" and world.report.reason is None)
