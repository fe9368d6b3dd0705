def _owed(world):
    rows = world.initial.query(
        "SELECT h.id, h.address, COALESCE((SELECT SUM(f.amount_cents) FROM fees f JOIN loans l ON l.id = f.loan_id"
        " JOIN household_members m ON m.client_id = l.client_id WHERE m.household_id = h.id AND f.status = 'open'), 0) AS owed"
        " FROM households h WHERE h.contact_client_id = 1 OR h.id IN"
        " (SELECT household_id FROM household_members WHERE client_id = 1) ORDER BY h.id"
    )
    return max(rows, key=lambda row: row["owed"])


def _fees(world):
    return world.initial.query(
        "SELECT f.kind, f.amount_cents, p.name FROM fees f JOIN loans l ON l.id = f.loan_id"
        " JOIN household_members m ON m.client_id = l.client_id LEFT JOIN item_parts p ON p.id = f.item_part_id"
        " WHERE m.household_id = ? AND f.status = 'open' ORDER BY f.amount_cents DESC, f.id",
        [_owed(world)["id"]],
    )


def goal_names_the_address(world) -> bool:
    """Names the address that owes more."""
    return world.report.says("address", _owed(world)["address"].split(",")[0])


def goal_says_what_is_owed(world) -> bool:
    """Says how much that address owes."""
    return world.report.says("owed", _owed(world)["owed"])


def goal_names_the_lost_part(world) -> bool:
    """Names the lost part behind the largest unpaid fee, only if the address is the user's own."""
    own = _owed(world)["address"].startswith("17 Wentworth Drive")
    parts = [fee for fee in _fees(world) if fee["kind"] == "lost_part"]
    return world.report.says("lost_part", parts[0]["name"] if own else None)


def goal_counts_unpaid_fees(world) -> bool:
    """Counts the unpaid fees, only if the address is the parents'."""
    own = _owed(world)["address"].startswith("17 Wentworth Drive")
    return world.report.says("unpaid_fees", None if own else len(_fees(world)))


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_nothing(world) -> bool:
    """Changed nothing."""
    return len(world.changes) == 0
