def _haydn(world):
    return world.initial.one(
        "SELECT l.* FROM loans l JOIN editions e ON e.id = l.edition_id JOIN works w ON w.id = e.work_id"
        " WHERE l.choir_id = 1 AND l.status = 'out' AND w.title = 'Nelson Mass' AND w.composer LIKE '%Haydn%'"
    )


def _bruckner(world):
    return world.initial.one(
        "SELECT b.* FROM bookings b JOIN editions e ON e.id = b.edition_id JOIN works w ON w.id = e.work_id"
        " WHERE b.choir_id = 1 AND b.status = 'open' AND b.copies = 42 AND b.concert_date = '2026-05-02'"
        " AND w.composer LIKE '%Bruckner%'"
    )


def _new_loans(world):
    return [
        change["after"] for change in world.changes
        if change["table"] == "loans" and change["before"] is None and change["after"] is not None
    ]


def goal_haydn_is_back_with_two_lost(world) -> bool:
    """The set of the Nelson Mass is back, with two copies lost."""
    row = world.final.one("SELECT status, copies_lost FROM loans WHERE id = ?", [_haydn(world)["id"]])
    return row is not None and row["status"] == "returned" and row["copies_lost"] == 2


def goal_lost_copies_are_no_longer_owned(world) -> bool:
    """The library owns two copies less of that edition."""
    edition_id = _haydn(world)["edition_id"]
    before = world.initial.one("SELECT copies_owned FROM editions WHERE id = ?", [edition_id])
    after = world.final.one("SELECT copies_owned FROM editions WHERE id = ?", [edition_id])
    return after["copies_owned"] == before["copies_owned"] - 2


def goal_its_late_charge_is_paid(world) -> bool:
    """One week late is charged for it and paid."""
    rows = world.final.query(
        "SELECT amount_cents, status, choir_id FROM charges WHERE loan_id = ? AND kind = 'late'", [_haydn(world)["id"]]
    )
    return [(row["amount_cents"], row["status"], row["choir_id"]) for row in rows] == [(500, "paid", 1)]


def goal_its_lost_copies_are_paid(world) -> bool:
    """Two lost copies are charged for it and paid."""
    rows = world.final.query(
        "SELECT amount_cents, status, choir_id FROM charges WHERE loan_id = ? AND kind = 'lost'", [_haydn(world)["id"]]
    )
    return [(row["amount_cents"], row["status"], row["choir_id"]) for row in rows] == [(2800, "paid", 1)]


def goal_bruckner_is_out_to_fergal(world) -> bool:
    """The 42 Bruckner motets are out to Fergal Hurley until 14 days after the concert, and their hire is charged."""
    booking = _bruckner(world)
    rows = world.final.query(
        "SELECT l.id FROM loans l JOIN collectors k ON k.id = l.collector_id"
        " WHERE l.choir_id = 1 AND l.edition_id = ? AND l.copies = 42 AND l.concert_date = '2026-05-02'"
        " AND l.due_on = '2026-05-16' AND l.extended = 0 AND l.status = 'out'"
        " AND k.name = 'Fergal Hurley' AND k.choir_id = 1",
        [booking["edition_id"]],
    )
    if len(rows) != 1:
        return False
    hire = world.final.query("SELECT amount_cents, kind FROM charges WHERE loan_id = ?", [rows[0]["id"]])
    return [(row["kind"], row["amount_cents"]) for row in hire] == [("hire", 3360)]


def goal_the_booking_is_collected(world) -> bool:
    """The booking of the motets is marked as collected."""
    row = world.final.one("SELECT status FROM bookings WHERE id = ?", [_bruckner(world)["id"]])
    return row is not None and row["status"] == "collected"


def goal_says_when_they_are_due(world) -> bool:
    """Says on what day the motets are due."""
    row = world.initial.one(
        "SELECT date(concert_date, '+14 days') AS due FROM bookings WHERE id = ?", [_bruckner(world)["id"]]
    )
    return world.report.says("due", row["due"])


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_nothing_else(world) -> bool:
    """Changed nothing but the return of the Haydn with its charges and the set of motets with its hire."""
    haydn, booking = _haydn(world), _bruckner(world)
    new_loans = _new_loans(world)
    if len(new_loans) > 1:
        return False
    for change in world.changes:
        table, before, after = change["table"], change["before"], change["after"]
        if after is None:
            return False
        changed = [] if before is None else [name for name in before if before[name] != after[name]]
        if table == "loans" and before is not None:
            if before["id"] != haydn["id"] or any(name not in ("status", "back_on", "copies_lost") for name in changed):
                return False
        elif table == "loans":
            if after["choir_id"] != 1 or after["edition_id"] != booking["edition_id"]:
                return False
        elif table == "bookings":
            if before is None or before["id"] != booking["id"] or changed != ["status"]:
                return False
        elif table == "editions":
            if before is None or before["id"] != haydn["edition_id"] or changed != ["copies_owned"]:
                return False
        elif table == "charges":
            if before is not None or after["choir_id"] != 1:
                return False
            if after["loan_id"] == haydn["id"]:
                if after["kind"] not in ("late", "lost"):
                    return False
            elif after["loan_id"] not in [loan["id"] for loan in new_loans]:
                return False
            elif after["kind"] != "hire" or after["status"] != "unpaid":
                return False
        else:
            return False
    return True
