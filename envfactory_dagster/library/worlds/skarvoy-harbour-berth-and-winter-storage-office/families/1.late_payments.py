import datetime

NAMES = ("Sildra", "Vesla", "Gullmåken", "Fjordrosa", "Blåtind", "Havørna", "Stjerna", "Kvikk", "Solvår", "Brimnes")


def _day(text):
    return datetime.date.fromisoformat(text[:10])


def _plus(text, days):
    return (_day(text) + datetime.timedelta(days=days)).isoformat()


def _moment(rng, day):
    return f"{day}T{rng.randint(8, 21):02d}:{rng.choice((5, 10, 20, 35, 40, 55)):02d}:00"


def _review(rows, first, last):
    """Of invoices with what was paid and when the last payment came: the late ones and what is still owed."""
    late, paid, owed, seen = [], 0, 0, 0
    for row in rows:
        if not first <= row["due_on"] <= last:
            continue
        seen += 1
        left = row["amount_cents"] - row["paid_cents"]
        if left > 0:
            owed += left
            continue
        paid += 1
        delay = (_day(row["last_paid_at"]) - _day(row["due_on"])).days
        if delay > 0:
            late.append((delay, row["invoice_number"]))
    late.sort(reverse=True)
    return {"late": late, "paid": paid, "owed": owed, "seen": seen}


def _draw(world, rng, berths, taken):
    """Guest stays of one more boat of the user's in the last months, each with its invoice, most of them paid."""
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
    end = _plus(today, -rng.randint(32, 45))
    for _ in range(rng.randint(5, 8)):
        nights = rng.randint(2, 6)
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
                    "booked_at": _moment(rng, _plus(start, -rng.randint(3, 20))),
                    "cancelled_at": None,
                }
            )
        end = _plus(start, -rng.randint(6, 22))
    stays.reverse()
    number = rng.randint(4000, 8500)
    for index, stay in enumerate(stays):
        stay["id"] = 5001 + index
        number += rng.randint(3, 40)
        nights = (_day(stay["last_day"]) - _day(stay["first_day"])).days
        amount = nights * stay["night_price_cents"]
        issued = _plus(stay["last_day"], 1)
        due = _plus(issued, 30)
        invoice = {
            "id": 5001 + index,
            "boat_owner_id": 1,
            "invoice_number": f"SKV-{number:05d}",
            "berth_lease_id": None,
            "guest_stay_id": stay["id"],
            "crane_lift_id": None,
            "shed_place_id": None,
            "amount_cents": amount,
            "issued_on": issued,
            "due_on": due,
        }
        invoices.append(invoice)
        since_due = (_day(today) - _day(due)).days
        way = rng.choice(("early", "early", "late", "late", "halves", "halves_late", "part", "nothing"))
        if way in ("late", "halves_late") and since_due < 2:
            way = "early"
        part = amount // (4 if way == "part" else 2) // 1000 * 1000
        early = _moment(rng, _plus(issued, rng.randint(1, 20)))
        in_time = _moment(rng, _plus(due, -rng.randint(0, 8)))
        too_late = _moment(rng, _plus(due, rng.randint(1, max(1, min(45, since_due - 1)))))
        parts = {
            "early": [(amount, in_time)],
            "late": [(amount, too_late)],
            "halves": [(part, early), (amount - part, in_time)],
            "halves_late": [(part, early), (amount - part, too_late)],
            "part": [(part, early)],
            "nothing": [],
        }[way]
        for cents, moment in parts:
            payments.append({"id": 5001 + len(payments), "invoice_id": invoice["id"], "amount_cents": cents, "paid_at": moment})
    return {"boats": [boat], "guest_stays": stays, "invoices": invoices, "payments": payments}


def instances(world, rng):
    """Invoices of some months, among them such as were paid late, in time, in parts or not at all."""
    today = world.clock[:10]
    berths = world.query("SELECT id, night_price_cents FROM berths WHERE kind = 'guest' ORDER BY id")
    taken = world.query("SELECT berth_id, first_day, last_day FROM guest_stays WHERE status <> 'cancelled' ORDER BY id")
    before = world.query(
        "SELECT i.invoice_number, i.due_on, i.amount_cents, coalesce(sum(p.amount_cents), 0) AS paid_cents,"
        " max(p.paid_at) AS last_paid_at FROM invoices i LEFT JOIN payments p ON p.invoice_id = i.id"
        " WHERE i.boat_owner_id = 1 GROUP BY i.id ORDER BY i.id"
    )
    none_late = 0
    done = 0
    for _ in range(3000):
        given = _draw(world, rng, berths, taken)
        rows = list(before)
        for invoice in given["invoices"]:
            mine = [p for p in given["payments"] if p["invoice_id"] == invoice["id"]]
            rows.append(
                {
                    "invoice_number": invoice["invoice_number"],
                    "due_on": invoice["due_on"],
                    "amount_cents": invoice["amount_cents"],
                    "paid_cents": sum(p["amount_cents"] for p in mine),
                    "last_paid_at": max((p["paid_at"] for p in mine), default=None),
                }
            )
        if any(p["paid_at"] >= world.clock[:10] for p in given["payments"]):
            continue
        last = _plus(today, -rng.randint(1, 30))
        first = _plus(last, -rng.randint(70, 300))
        found = _review(rows, first, last)
        if found["seen"] < 4 or found["paid"] < 3 or found["owed"] == 0 or found["seen"] == len(rows):
            continue
        late = found["late"]
        if len(late) > 1 and late[0][0] == late[1][0]:
            continue
        if not late:
            if none_late * 6 > done:
                continue
            none_late += 1
        done += 1
        yield {"p": {"first": first, "last": last}, "given": given}


def solve(tools, p):
    invoices = tools.list_my_invoices(first_due_day=p["first"], last_due_day=p["last"])["invoices"]
    owed = 0
    late = []
    for invoice in invoices:
        if invoice["left_cents"] > 0:
            owed += invoice["left_cents"]
            continue
        payments = tools.get_invoice(invoice_id=invoice["id"])["payments"]
        delay = (_day(max(payment["paid_at"] for payment in payments)) - _day(invoice["due_on"])).days
        if delay > 0:
            late.append((delay, invoice["invoice_number"]))
    late.sort(reverse=True)
    if late:
        told = f"{len(late)} of the invoices paid in full were late, {late[0][1]} the most, by {late[0][0]} days."
    else:
        told = "None of the invoices paid in full was late."
    return {
        "outcome": "done",
        "answers": {
            "late_invoices": len(late),
            "latest_invoice": late[0][1] if late else None,
            "days_late": late[0][0] if late else None,
            "still_owed": owed,
        },
        "reason": None,
        "message": f"{told} On the others {owed / 100:.2f} kroner are still to be paid.",
    }


def _found(world, p):
    rows = world.initial.query(
        "SELECT v.invoice_number, v.due_on, v.amount_cents,"
        " coalesce((SELECT sum(y.amount_cents) FROM payments y WHERE y.invoice_id = v.id), 0) AS paid_cents,"
        " (SELECT max(y.paid_at) FROM payments y WHERE y.invoice_id = v.id) AS last_paid_at"
        " FROM invoices v WHERE v.boat_owner_id = 1 AND v.due_on BETWEEN ? AND ?",
        [p["first"], p["last"]],
    )
    return _review(rows, p["first"], p["last"])


def goal_says_how_many_were_late(world, p):
    """Says how many of the invoices paid in full were paid off after the day they were due."""
    return world.report.says("late_invoices", len(_found(world, p)["late"]))


def goal_says_which_was_the_latest(world, p):
    """Says which invoice was paid off the longest after it was due, or nothing if none was late."""
    late = _found(world, p)["late"]
    return world.report.outcome is not None and world.report.says("latest_invoice", late[0][1] if late else None)


def goal_says_how_many_days_late(world, p):
    """Says by how many days that invoice was late, or nothing if none was."""
    late = _found(world, p)["late"]
    return world.report.outcome is not None and world.report.says("days_late", late[0][0] if late else None)


def goal_says_what_is_still_owed(world, p):
    """Says what is left to pay on the invoices that are not paid in full."""
    return world.report.says("still_owed", _found(world, p)["owed"])


def guard_changes_nothing(world, p):
    """Changed nothing, as only an answer was wanted."""
    return not world.changes


def guard_reports_it_as_done(world, p):
    """Reports that it is done, with no rule as a reason."""
    return world.report.outcome is None or (world.report.outcome == "done" and world.report.reason is None)
