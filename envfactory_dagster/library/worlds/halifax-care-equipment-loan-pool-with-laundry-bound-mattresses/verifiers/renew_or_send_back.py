import datetime


def _columns(change):
    """The columns that differ in a changed row."""
    return {name for name in change["after"] if change["after"][name] != change["before"][name]}


def _loan(world, name, kind, due):
    """The running loan of this kind of thing to this person, due on this day."""
    return world.initial.one(
        "SELECT l.id, l.due_on, l.renewals_used, t.max_renewals, t.loan_weeks, t.van_points FROM loans l"
        " JOIN clients c ON c.id = l.client_id JOIN items i ON i.id = l.item_id JOIN item_types t ON t.id = i.item_type_id"
        " WHERE c.name = ? AND t.name = ? AND l.due_on = ? AND l.status = 'on_loan'",
        [name, kind, due],
    )


def _wheelchair(world):
    return _loan(world, "Earl Boutilier", "wheelchair", "2026-07-08")


def _bed(world):
    return _loan(world, "Doreen Boutilier", "bed", "2026-07-15")


def _slots(world):
    """The ids of the open van slots on the last weekday before the bed is due that have room for it."""
    day = datetime.date.fromisoformat(_bed(world)["due_on"]) - datetime.timedelta(days=1)
    while day.weekday() > 4:
        day -= datetime.timedelta(days=1)
    rows = world.initial.query(
        "SELECT s.id, 4 - COALESCE((SELECT SUM(t.van_points) FROM deliveries d JOIN loans l ON l.id = d.loan_id"
        " JOIN items i ON i.id = l.item_id JOIN item_types t ON t.id = i.item_type_id"
        " WHERE d.van_slot_id = s.id AND d.status <> 'cancelled'), 0) AS room"
        " FROM van_slots s WHERE s.status = 'open' AND s.day = ? ORDER BY s.id",
        [day.isoformat()],
    )
    return [row["id"] for row in rows if row["room"] >= _bed(world)["van_points"]]


def _renewed_until(world):
    loan = _wheelchair(world)
    return (datetime.date.fromisoformat(loan["due_on"]) + datetime.timedelta(weeks=loan["loan_weeks"])).isoformat()


def goal_wheelchair_is_renewed(world) -> bool:
    """The father's wheelchair is renewed once, by one term from its old due day."""
    loan = _wheelchair(world)
    row = world.final.one("SELECT due_on, renewals_used, status FROM loans WHERE id = ?", [loan["id"]])
    return (
        row["due_on"] == _renewed_until(world)
        and row["renewals_used"] == loan["renewals_used"] + 1
        and row["status"] == "on_loan"
    )


def goal_bed_is_collected(world) -> bool:
    """The mother's bed, which has no renewal left, is collected once, on the last weekday before it is due."""
    rows = world.final.query(
        "SELECT van_slot_id FROM deliveries WHERE loan_id = ? AND kind = 'collection' AND status = 'booked'",
        [_bed(world)["id"]],
    )
    return len(rows) == 1 and rows[0]["van_slot_id"] in _slots(world)


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done, with no rule in the way."""
    return world.report.outcome in (None, "done") and world.report.reason is None


def guard_changes_nothing_else(world) -> bool:
    """Changed nothing but the due day of the wheelchair and one new collection of the bed."""
    wheelchair, bed = _wheelchair(world), _bed(world)
    new = 0
    for change in world.changes:
        table, before, after = change["table"], change["before"], change["after"]
        if after is None:
            return False
        if table == "deliveries" and before is None:
            new += 1
            if after["loan_id"] != bed["id"] or after["kind"] != "collection" or after["status"] != "booked":
                return False
            if after["van_slot_id"] not in _slots(world):
                return False
        elif table == "loans" and before is not None and after["id"] == wheelchair["id"]:
            if not _columns(change) <= {"due_on", "renewals_used"} or after["due_on"] != _renewed_until(world):
                return False
            if after["renewals_used"] != wheelchair["renewals_used"] + 1:
                return False
        elif table == "loans" and before is not None and after["id"] == bed["id"]:
            if _columns(change) != {"collection_asked_on"} or after["collection_asked_on"] != "2026-07-02":
                return False
        else:
            return False
    return new <= 1
