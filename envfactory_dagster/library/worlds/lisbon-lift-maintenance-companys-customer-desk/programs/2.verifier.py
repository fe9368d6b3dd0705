def _open_lifts(world):
    return world.initial.query(
        "SELECT l.id, l.entrance, l.inspection_due_date, b.address FROM lifts l JOIN buildings b ON b.id = l.building_id"
        " JOIN contracts c ON c.id = l.contract_id"
        " JOIN building_roles r ON r.building_id = b.id AND r.customer_id = 1"
        " WHERE r.customer_role = 'administrator' AND c.customer_id IS NULL"
        " AND l.inspection_due_date BETWEEN '2026-06-09' AND '2026-12-31'"
        " AND NOT EXISTS (SELECT 1 FROM inspections i WHERE i.lift_id = l.id AND i.requested_on >= '2026-01-01')"
        " ORDER BY l.inspection_due_date, l.id"
    )


def _in_time(world):
    row = world.initial.one("SELECT julianday(?) - julianday('2026-06-09') AS days", [
        _open_lifts(world)[0]["inspection_due_date"]
    ])
    return row["days"] >= 60


def _new(world, table):
    return [c["after"] for c in world.changes if c["table"] == table and c["before"] is None]


def goal_files_the_lift_due_first(world) -> bool:
    """Files a periodic inspection, with the receipt, for the lift that is due first and not filed yet."""
    made, lift = _new(world, "inspections"), _open_lifts(world)[0]
    wanted = {
        "lift_id": lift["id"], "customer_id": 1, "inspection_kind": "periodic", "inspection_status": "requested",
        "requested_on": "2026-06-09", "inspection_at": None, "fee_receipt_ref": "DOC-000418", "fee_cents": 0,
        "in_time": int(_in_time(world)), "previous_inspection_id": None, "accident_id": None,
    }
    return len(made) == 1 and all(made[0][key] == value for key, value in wanted.items())


def goal_asks_to_avoid_the_four_days(world) -> bool:
    """Asks the inspection body to avoid 14 to 17 July, and no other day."""
    made, days = _new(world, "inspections"), _new(world, "inspection_unwanted_dates")
    return (
        len(made) == 1 and all(d["inspection_id"] == made[0]["id"] for d in days)
        and sorted(d["unwanted_date"] for d in days) == [f"2026-07-{day}" for day in range(14, 18)]
    )


def goal_says_the_address(world) -> bool:
    """Says at which address that lift is."""
    return world.report.says("address", _open_lifts(world)[0]["address"])


def goal_says_the_entrance(world) -> bool:
    """Says which part of the building the lift serves."""
    return world.report.says("entrance", _open_lifts(world)[0]["entrance"])


def goal_says_whether_it_is_in_time(world) -> bool:
    """Says whether the filing is still in time."""
    return world.report.says("in_time", _in_time(world))


def goal_names_the_others(world) -> bool:
    """Names the addresses of the other lifts due this year that are not filed."""
    return world.report.says("others", [one["address"] for one in _open_lifts(world)[1:]])


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_makes_no_other_change(world) -> bool:
    """Adds at most one inspection with four days to avoid, and touches nothing else."""
    tables = ("inspections", "inspection_unwanted_dates")
    return (
        all(c["before"] is None and c["table"] in tables for c in world.changes)
        and len(_new(world, "inspections")) <= 1 and len(_new(world, "inspection_unwanted_dates")) <= 4
    )
