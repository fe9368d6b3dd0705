def _homes(world):
    """The two addresses, the one with more paid first."""
    return world.initial.query(
        "SELECT h.address, COALESCE(SUM(p.amount_cents), 0) AS paid, COUNT(p.id) AS n, MAX(substr(p.paid_at, 1, 10)) AS latest"
        " FROM households h LEFT JOIN payments p ON p.household_id = h.id"
        " WHERE h.address LIKE '17 Wentworth Drive%' OR h.address LIKE '22 Larch Street%'"
        " GROUP BY h.id ORDER BY paid DESC, h.id"
    )


def goal_names_the_home(world) -> bool:
    """Names the address for which more has been paid."""
    return world.report.says("home", _homes(world)[0]["address"].split(",")[0])


def goal_says_the_difference(world) -> bool:
    """Says how much more has been paid for it."""
    homes = _homes(world)
    return world.report.says("difference", homes[0]["paid"] - homes[1]["paid"])


def goal_says_the_latest_payment(world) -> bool:
    """Says when the latest payment was, only if it is the parents' home."""
    home = _homes(world)[0]
    return world.report.says("latest_payment", home["latest"] if home["address"].startswith("22 Larch") else None)


def goal_counts_the_payments(world) -> bool:
    """Says how many payments there have been, only if it is the user's own home."""
    home = _homes(world)[0]
    return world.report.says("payments", home["n"] if home["address"].startswith("17 Wentworth") else None)


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_nothing(world) -> bool:
    """Changed nothing."""
    return len(world.changes) == 0
