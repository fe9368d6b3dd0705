def _to_pay(world):
    """The charges to be paid, oldest first, until no more than 50 euros are owed."""
    rows = world.initial.query(
        "SELECT id, amount_cents FROM charges WHERE choir_id = 1 AND status = 'unpaid' ORDER BY charged_on, id"
    )
    owed = sum(row["amount_cents"] for row in rows)
    to_pay = []
    for row in rows:
        if owed <= 5000:
            break
        to_pay.append(row)
        owed -= row["amount_cents"]
    return to_pay


def _booking(world):
    return world.initial.one(
        "SELECT b.* FROM bookings b JOIN editions e ON e.id = b.edition_id JOIN works w ON w.id = e.work_id"
        " WHERE b.choir_id = 1 AND b.status = 'open' AND b.copies = 20 AND b.concert_date = '2026-12-24'"
        " AND w.title = 'Messe de minuit'"
    )


def _hire(world):
    paid_to = world.initial.one("SELECT paid_to FROM choirs WHERE id = 1")["paid_to"]
    return 20 * (80 if paid_to >= "2026-11-14" else 160)


def _new_loans(world):
    return [
        change["after"] for change in world.changes
        if change["table"] == "loans" and change["before"] is None and change["after"] is not None
    ]


def goal_oldest_charges_are_paid(world) -> bool:
    """The oldest charges are paid, as many as it takes to owe no more than 50 euros."""
    return all(
        world.final.one("SELECT status FROM charges WHERE id = ?", [row["id"]])["status"] == "paid"
        for row in _to_pay(world)
    )


def goal_set_is_out_to_siobhan(world) -> bool:
    """The booked set is out to Siobhan Kiely until 14 days after the Mass."""
    rows = world.final.query(
        "SELECT l.id FROM loans l JOIN collectors k ON k.id = l.collector_id"
        " WHERE l.choir_id = 1 AND l.edition_id = ? AND l.copies = 20 AND l.concert_date = '2026-12-24'"
        " AND l.due_on = '2027-01-07' AND l.extended = 0 AND l.status = 'out'"
        " AND k.choir_id = 1 AND k.name = 'Siobh\u00e1n Kiely'",
        [_booking(world)["edition_id"]],
    )
    return len(rows) == 1


def goal_hire_is_charged(world) -> bool:
    """The hire of the set is charged at the rate of today."""
    loans = _new_loans(world)
    if len(loans) != 1 or loans[0]["edition_id"] != _booking(world)["edition_id"]:
        return False
    rows = world.final.query("SELECT kind, amount_cents FROM charges WHERE loan_id = ?", [loans[0]["id"]])
    return [(row["kind"], row["amount_cents"]) for row in rows] == [("hire", _hire(world))]


def goal_booking_is_collected(world) -> bool:
    """The booking of the set is marked as collected."""
    row = world.final.one("SELECT status FROM bookings WHERE id = ?", [_booking(world)["id"]])
    return row is not None and row["status"] == "collected"


def goal_says_what_was_paid(world) -> bool:
    """Says how much was paid."""
    return world.report.says("paid", sum(row["amount_cents"] for row in _to_pay(world)))


def goal_says_the_hire(world) -> bool:
    """Says what the hire comes to."""
    return world.report.says("hire", _hire(world))


def goal_says_when_it_is_due(world) -> bool:
    """Says on what day the set is due."""
    row = world.initial.one(
        "SELECT date(concert_date, '+14 days') AS due FROM bookings WHERE id = ?", [_booking(world)["id"]]
    )
    return world.report.says("due", row["due"])


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_nothing_else(world) -> bool:
    """Changed nothing but the charges to be paid, the booking, one new loan and its hire."""
    booking = _booking(world)
    to_pay = [row["id"] for row in _to_pay(world)]
    new_loans = _new_loans(world)
    if len(new_loans) > 1:
        return False
    for change in world.changes:
        table, before, after = change["table"], change["before"], change["after"]
        if after is None:
            return False
        changed = [] if before is None else [name for name in before if before[name] != after[name]]
        if table == "charges" and before is not None:
            if before["id"] not in to_pay or any(name not in ("status", "paid_on") for name in changed):
                return False
        elif table == "charges":
            if after["choir_id"] != 1 or after["kind"] != "hire" or after["status"] != "unpaid":
                return False
            if after["loan_id"] not in [loan["id"] for loan in new_loans]:
                return False
        elif table == "loans":
            if before is not None or after["choir_id"] != 1 or after["edition_id"] != booking["edition_id"]:
                return False
        elif table == "bookings":
            if before is None or before["id"] != booking["id"] or changed != ["status"]:
                return False
        else:
            return False
    return True
