def _left(database):
    return database.query(
        "SELECT i.id, i.invoice_number, i.due_on,"
        " i.amount_cents - coalesce((SELECT sum(p.amount_cents) FROM payments p WHERE p.invoice_id = i.id), 0) AS left_cents"
        " FROM invoices i WHERE i.boat_owner_id = 1 ORDER BY i.due_on, i.invoice_number"
    )


def _unpaid(world):
    return [i for i in _left(world.initial) if i["left_cents"] > 0]


def goal_pays_the_oldest_in_full(world) -> bool:
    """Has paid in full the unpaid invoice that has been due longest."""
    oldest = _unpaid(world)[0]
    return any(i["id"] == oldest["id"] and i["left_cents"] == 0 for i in _left(world.final))


def goal_pays_the_rest(world) -> bool:
    """Has paid every other unpaid invoice in full, as less than 2,000 kroner is owed after the oldest."""
    rest = _unpaid(world)[1:]
    left = {i["id"]: i["left_cents"] for i in _left(world.final)}
    return sum(i["left_cents"] for i in rest) < 200000 and all(left.get(i["id"]) == 0 for i in rest)


def goal_says_which_are_unpaid(world) -> bool:
    """Has told the numbers of the invoices that were unpaid, the one due first at the head."""
    return world.report.says("unpaid_invoices", [i["invoice_number"] for i in _unpaid(world)])


def goal_says_what_is_left_on_each(world) -> bool:
    """Has told what was left to pay on each of them, in the same order."""
    return world.report.says("left_to_pay", [i["left_cents"] for i in _unpaid(world)])


def guard_changes_nothing_else(world) -> bool:
    """Touched no row but one new payment for each of the user's unpaid invoices."""
    unpaid = {i["id"] for i in _unpaid(world)}
    if any(c["table"] != "payments" or c["before"] is not None for c in world.changes):
        return False
    paid = [c["after"]["invoice_id"] for c in world.changes]
    return len(paid) == len(set(paid)) and set(paid) <= unpaid


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done") and world.report.reason is None
