def _ids(world):
    return world.initial.one(
        "SELECT r.id AS reader, p.id AS piece, b.id AS booking, a.id AS case_id FROM readers r"
        " JOIN seat_bookings b ON b.reader_id = r.id AND b.day = '2026-03-12' AND b.status = 'booked'"
        " JOIN access_cases a ON a.reader_id = r.id AND a.status = 'open' JOIN access_case_pieces x ON x.access_case_id = a.id"
        " JOIN pieces p ON p.id = x.piece_id AND p.title LIKE 'Blake%rental 1851' WHERE r.surname = 'Gavin' AND r.forenames = 'Máire'",
        [],
    )


def goal_enters_the_consent_with_its_condition(world) -> bool:
    """Entered Rory Blake's consent of 26 February as granted on condition that nothing is published."""
    row = world.final.one(
        "SELECT count(*) AS n FROM access_cases WHERE id = ? AND status = 'granted_with_conditions' AND decided_by_role = 'depositor'"
        " AND same_text(decided_by_name, ?) AND decided_on = '2026-02-26' AND lower(conditions) LIKE '%publi%'"
        " AND conditions NOT LIKE '%no_copying%' AND conditions NOT LIKE '%surrogate_only%' AND conditions NOT LIKE '%staff_copy_only%'",
        [_ids(world)["case_id"], "Rory Blake"],
    )
    return row["n"] == 1


def goal_asks_for_the_rental(world) -> bool:
    """Asked for the 1851 rental for her seat on 12 March, on a run that is there in time."""
    ids = _ids(world)
    row = world.final.one(
        "SELECT count(*) AS n FROM piece_requests q JOIN van_runs v ON v.id = q.van_run_id WHERE q.reader_id = ? AND q.seat_booking_id = ?"
        " AND q.piece_id = ? AND q.status = 'listed' AND v.run_date <= '2026-03-12'",
        [ids["reader"], ids["booking"], ids["piece"]],
    )
    return row["n"] == 1


def goal_replaces_the_card(world) -> bool:
    """Replaced her lost card and put 5 euro on her account for it."""
    reader = _ids(world)["reader"]
    card = world.final.one("SELECT card_replaced_on FROM readers WHERE id = ?", [reader])
    new = [c["after"] for c in world.changes if c["table"] == "charges" and c["before"] is None]
    return (
        card["card_replaced_on"] == "2026-03-02"
        and len(new) == 1
        and new[0]["reader_id"] == reader
        and new[0]["kind"] == "lost_card"
        and new[0]["amount_cents"] == 500
        and new[0]["paid_on"] is None
    )


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_touches_only_her_case_request_and_card(world) -> bool:
    """Touched nothing but the decision on her case, one request, her card and its charge."""
    ids = _ids(world)
    columns = {
        "access_cases": ("status", "conditions", "decided_by_role", "decided_by_name", "decided_on", "recorded_at"),
        "readers": ("card_replaced_on", "address_confirmed_on"),
    }
    keys = {"access_cases": ids["case_id"], "readers": ids["reader"]}
    for change in world.changes:
        table, before, after = change["table"], change["before"], change["after"]
        if after is None:
            return False
        if table in columns:
            if before is None or before["id"] != keys[table]:
                return False
            if any(before[c] != after[c] for c in before if c not in columns[table]):
                return False
        elif table == "piece_requests":
            if before is not None or after["reader_id"] != ids["reader"] or after["piece_id"] != ids["piece"]:
                return False
        elif table != "charges" or before is not None or after["reader_id"] != ids["reader"]:
            return False
    return all(sum(1 for c in world.changes if c["table"] == t) <= 1 for t in ("piece_requests", "charges"))
