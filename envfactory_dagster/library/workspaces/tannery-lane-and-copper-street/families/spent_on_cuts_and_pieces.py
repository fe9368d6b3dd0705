import datetime


def _spent(world, p):
    """The two amounts, read off the databases."""
    cuts = world.one(
        "SELECT coalesce(sum(price_cents), 0) AS n FROM barber_appointments WHERE customer_id = 1 AND status = 'done'"
        " AND substr(starts_at, 1, 10) BETWEEN ? AND ?",
        [p["first"], p["last"]],
    )["n"]
    pieces = world.one(
        "SELECT coalesce(sum(amount_cents), 0) AS n FROM club_replacement_charges WHERE member_id = 1"
        " AND status = 'paid' AND substr(paid_at, 1, 10) BETWEEN ? AND ?",
        [p["first"], p["last"]],
    )["n"]
    return cuts, pieces


def instances(world, rng):
    """Periods of the last months, and charges that were paid in and around them."""
    copies = [row["id"] for row in world.query(
        "SELECT c.id FROM club_copies c WHERE NOT EXISTS (SELECT 1 FROM club_loans l WHERE l.copy_id = c.id"
        " AND (l.status = 'out' OR l.borrowed_at > '2025-12-01')) ORDER BY c.id"
    )]
    top = world.one(
        "SELECT (SELECT max(id) FROM club_loans) AS loan, (SELECT max(id) FROM club_piece_reports) AS report,"
        " (SELECT max(id) FROM club_replacement_charges) AS charge"
    )
    today = datetime.date.fromisoformat(world.clock[:10])
    while True:
        first = today - datetime.timedelta(days=rng.randint(20, 130))
        last = first + datetime.timedelta(days=rng.randint(14, 100))
        if last >= today:
            continue
        loans, reports, charges = [], [], []
        for number, copy in enumerate(rng.sample(copies, min(len(copies), rng.randint(1, 3)))):
            back = first + datetime.timedelta(days=rng.randint(-20, 40))
            paid = back + datetime.timedelta(days=rng.randint(1, 45))
            if paid >= today:
                continue
            loans.append({
                "id": top["loan"] + 1 + number, "member_id": 1, "copy_id": copy, "status": "returned",
                "borrowed_at": (back - datetime.timedelta(days=12)).isoformat() + "T19:10:00",
                "due_day": (back + datetime.timedelta(days=9)).isoformat(), "renewals": 0,
                "returned_at": back.isoformat() + "T19:30:00", "returned_short": 1,
            })
            reports.append({
                "id": top["report"] + 1 + number, "copy_id": copy, "loan_id": top["loan"] + 1 + number,
                "piece": rng.choice(["red meeple", "corner piece", "die", "score marker", "blue token"]),
                "pieces_missing": 1, "status": "open", "reported_at": back.isoformat() + "T19:35:00",
                "resolved_at": None,
            })
            charges.append({
                "id": top["charge"] + 1 + number, "member_id": 1, "piece_report_id": top["report"] + 1 + number,
                "amount_cents": rng.randrange(150, 900, 10), "status": "paid",
                "charged_at": back.isoformat() + "T19:36:00", "paid_at": paid.isoformat() + "T19:40:00",
            })
        inside = [c for c in charges if first.isoformat() <= c["paid_at"][:10] <= last.isoformat()]
        cuts = world.one(
            "SELECT count(*) AS n FROM barber_appointments WHERE customer_id = 1 AND status = 'done'"
            " AND substr(starts_at, 1, 10) >= ? AND substr(starts_at, 1, 10) <= ?",
            [first.isoformat(), last.isoformat()],
        )["n"]
        if not inside or not cuts:
            continue
        given = {"club_loans": loans, "club_piece_reports": reports, "club_replacement_charges": charges}
        yield {"p": {"first": first.isoformat(), "last": last.isoformat()}, "given": given}


def solve(tools, p):
    visits = tools.barber_list_my_appointments(status="done", first_day=p["first"], last_day=p["last"])["appointments"]
    barber = sum(visit["price_cents"] for visit in visits)
    paid = tools.club_list_my_replacement_charges(status="paid")["replacement_charges"]
    club = sum(charge["amount_cents"] for charge in paid if p["first"] <= charge["paid_at"][:10] <= p["last"])
    both = barber + club
    return {
        "outcome": "done",
        "answers": {"barber": barber, "club": club, "together": both},
        "reason": None,
        "message": f"At the barber's it was {barber / 100:.2f} euros, at the club {club / 100:.2f} euros,"
        f" together {both / 100:.2f} euros.",
    }


def goal_says_what_the_barber_got(world, p):
    """Says what was spent at the barber's."""
    return world.report.says("barber", _spent(world.initial, p)[0])


def goal_says_what_the_club_got(world, p):
    """Says what was paid to the club."""
    return world.report.says("club", _spent(world.initial, p)[1])


def goal_says_the_sum(world, p):
    """Says both together."""
    return world.report.says("together", sum(_spent(world.initial, p)))


def guard_changes_nothing(world, p):
    """Changed nothing in either place."""
    return world.changes == []


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")
