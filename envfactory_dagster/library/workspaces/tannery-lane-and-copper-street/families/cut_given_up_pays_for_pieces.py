import datetime


def _plan(world, p):
    """The charges that are paid, what they come to, and what is left, read off the databases."""
    left = world.one("SELECT price_cents AS n FROM barber_appointments WHERE id = ?", [p["appointment"]])["n"]
    left -= p["keep"]
    paid = []
    for charge in world.query(
        "SELECT id, amount_cents FROM club_replacement_charges WHERE member_id = 1 AND status = 'unpaid'"
        " ORDER BY charged_at, id"
    ):
        if charge["amount_cents"] > left:
            break
        paid.append(charge["id"])
        left -= charge["amount_cents"]
    return paid, left


def instances(world, rng):
    """The user's open appointments, and more charges than the price of one covers."""
    mine = world.query(
        "SELECT a.id, a.price_cents, b.name AS barber FROM barber_appointments a JOIN barber_services s"
        " ON s.id = a.service_id JOIN barber_barbers b ON b.id = s.barber_id WHERE a.customer_id = 1"
        " AND a.status IN ('booked', 'confirmed') ORDER BY a.price_cents"
    )
    copies = [row["id"] for row in world.query(
        "SELECT c.id FROM club_copies c LEFT JOIN club_loans l ON l.copy_id = c.id AND l.borrowed_at > '2026-01-10'"
        " WHERE l.id IS NULL ORDER BY c.id"
    )]
    owed = world.one(
        "SELECT sum(amount_cents) AS n FROM club_replacement_charges WHERE member_id = 1 AND status = 'unpaid'"
    )["n"]
    top = world.one(
        "SELECT (SELECT max(id) FROM club_loans) AS loan, (SELECT max(id) FROM club_piece_reports) AS report,"
        " (SELECT max(id) FROM club_replacement_charges) AS charge"
    )
    today = datetime.date.fromisoformat(world.clock[:10])
    while True:
        one = rng.choice(mine)
        loans, reports, charges = [], [], []
        for number, copy in enumerate(rng.sample(copies, min(len(copies), rng.randint(2, 4)))):
            back = today - datetime.timedelta(days=4 + 9 * number + rng.randint(0, 6))
            loans.append({
                "id": top["loan"] + 1 + number, "member_id": 1, "copy_id": copy, "status": "returned",
                "borrowed_at": (back - datetime.timedelta(days=15)).isoformat() + "T20:05:00",
                "due_day": (back + datetime.timedelta(days=6)).isoformat(), "renewals": 0,
                "returned_at": back.isoformat() + "T20:15:00", "returned_short": 1,
            })
            reports.append({
                "id": top["report"] + 1 + number, "copy_id": copy, "loan_id": top["loan"] + 1 + number,
                "piece": rng.choice(["green cube", "edge piece", "hourglass", "fox figure", "card 17"]),
                "pieces_missing": 1, "status": "open", "reported_at": back.isoformat() + "T20:20:00",
                "resolved_at": None,
            })
            charges.append({
                "id": top["charge"] + 1 + number, "member_id": 1, "piece_report_id": top["report"] + 1 + number,
                "amount_cents": rng.randrange(180, 1500, 10), "status": "unpaid",
                "charged_at": back.isoformat() + "T20:21:00", "paid_at": None,
            })
        keep = rng.choice([200, 250, 300, 350, 400, 450, 500])
        if owed + sum(c["amount_cents"] for c in charges) <= one["price_cents"] - keep:
            continue
        given = {"club_loans": loans, "club_piece_reports": reports, "club_replacement_charges": charges}
        yield {"p": {"barber": one["barber"], "keep": keep, "appointment": one["id"]}, "given": given}


def solve(tools, p):
    mine = next(
        a for status in ("booked", "confirmed") for a in tools.barber_list_my_appointments(status=status)["appointments"]
        if a["barber_name"] == p["barber"]
    )
    tools.barber_cancel_appointment(appointment_id=mine["id"])
    left, paid = mine["price_cents"] - p["keep"], 0
    charges = tools.club_list_my_replacement_charges(status="unpaid")["replacement_charges"]
    for charge in sorted(charges, key=lambda c: (c["charged_at"], c["id"])):
        if charge["amount_cents"] > left:
            break
        tools.club_pay_replacement_charge(replacement_charge_id=charge["id"])
        left, paid = left - charge["amount_cents"], paid + charge["amount_cents"]
    return {
        "outcome": "done",
        "answers": {"paid": paid, "left": left},
        "reason": None,
        "message": f"The appointment is cancelled. I paid {paid / 100:.2f} euros to the club; {left / 100:.2f} euros are left.",
    }


def goal_has_cancelled_the_appointment(world, p):
    """Has cancelled that appointment."""
    row = world.final.one("SELECT status FROM barber_appointments WHERE id = ?", [p["appointment"]])
    return row["status"] == "cancelled"


def goal_has_paid_the_oldest_charges(world, p):
    """Has paid the oldest charges that the price covers, one after the other, and no other."""
    paid = {change["after"]["id"] for change in world.changes if change["table"] == "club_replacement_charges"}
    return paid == set(_plan(world.initial, p)[0])


def goal_says_what_was_paid(world, p):
    """Says how much was paid."""
    price = world.initial.one("SELECT price_cents AS n FROM barber_appointments WHERE id = ?", [p["appointment"]])["n"]
    return world.report.says("paid", price - p["keep"] - _plan(world.initial, p)[1])


def goal_says_what_is_left(world, p):
    """Says how much is left."""
    return world.report.says("left", _plan(world.initial, p)[1])


def guard_touches_nothing_else(world, p):
    """Changed nothing but the state of that appointment and of the user's charges."""
    for change in world.changes:
        before, after = change["before"], change["after"]
        if before is None or after is None:
            return False
        if change["table"] == "barber_appointments":
            moved = {"status": "cancelled", "cancelled_at": after["cancelled_at"]}
            if before["id"] != p["appointment"] or {**before, **moved} != after:
                return False
        elif change["table"] == "club_replacement_charges":
            if before["member_id"] != 1 or {**before, "status": "paid", "paid_at": after["paid_at"]} != after:
                return False
        else:
            return False
    return True


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")
