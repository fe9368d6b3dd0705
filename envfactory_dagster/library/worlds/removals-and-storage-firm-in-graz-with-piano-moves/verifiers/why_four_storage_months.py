def _contract(world):
    return world.initial.one(
        "SELECT s.* FROM storage_contracts s JOIN containers c ON c.id = s.container_id"
        " WHERE s.customer_id = 1 AND c.number = 27 AND s.starts_on = '2025-01-29'"
    )


def goal_says_which_months(world) -> bool:
    """Says that January to April were counted, every calendar month begun."""
    names = (
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    )
    contract = _contract(world)
    first = int(contract["starts_on"][5:7])
    last = int(contract["ends_on"][5:7])
    return world.report.says("months_counted", [names[month - 1] for month in range(first, last + 1)])


def goal_says_the_handling_fee(world) -> bool:
    """Says what the handling fee comes to."""
    return world.report.says("handling_fee", _contract(world)["handling_fee_cents"])


def goal_says_what_is_left_of_the_deposit(world) -> bool:
    """Says what is left of the deposit once the open invoices of this contract are settled."""
    row = world.initial.one(
        "SELECT coalesce(sum(l.amount_cents), 0) AS n FROM invoice_lines l JOIN invoices i ON i.id = l.invoice_id"
        " WHERE i.storage_contract_id = ? AND i.status = 'open'",
        [_contract(world)["id"]],
    )
    return world.report.says("deposit_left", _contract(world)["deposit_cents"] - row["n"])


def guard_changes_nothing(world) -> bool:
    """Changed nothing at all."""
    return world.changes == []


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done, with no rule against it."""
    return world.report.outcome in (None, "done") and world.report.reason is None
