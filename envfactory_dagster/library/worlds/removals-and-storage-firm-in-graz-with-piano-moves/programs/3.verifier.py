def _below(world):
    """The moves to come that are insured for less than 60,000 euros, with whether 7 days are left."""
    return world.initial.query(
        "SELECT id, removal_day, insured_value_cents, premium_per_thousand_cents,"
        " julianday(removal_day) - julianday('2025-04-17') >= 7 AS in_time FROM removals"
        " WHERE customer_id = 1 AND status IN ('requested', 'offered', 'confirmed') AND insured_value_cents < 6000000"
        " ORDER BY removal_day"
    )


def goal_says_how_many(world) -> bool:
    """Says for how many moves the value was raised."""
    return world.report.says("raised", len([row for row in _below(world) if row["in_time"]]))


def goal_says_the_additional_premium(world) -> bool:
    """Says what the raised moves cost more in premiums."""
    more = 0
    for row in _below(world):
        if row["in_time"]:
            more += (60 - row["insured_value_cents"] // 100000) * row["premium_per_thousand_cents"]
    return world.report.says("more_premium", more)


def goal_says_which_are_too_late(world) -> bool:
    """Says the days of the moves for which it is too late."""
    return world.report.says("too_late_days", [row["removal_day"] for row in _below(world) if not row["in_time"]])


def goal_raises_all_in_time(world) -> bool:
    """Every move below 60,000 euros that is at least 7 days away is insured for exactly that."""
    return all(
        world.final.one("SELECT insured_value_cents AS v FROM removals WHERE id = ?", [row["id"]])["v"] == 6000000
        for row in _below(world)
        if row["in_time"]
    )


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_only_these_values(world) -> bool:
    """Changed nothing but the insured value of those moves, and to nothing but 60,000 euros."""
    allowed = {row["id"] for row in _below(world) if row["in_time"]}
    for c in world.changes:
        if c["table"] != "removals" or c["before"] is None or c["after"] is None or c["before"]["id"] not in allowed:
            return False
        if c["after"]["insured_value_cents"] != 6000000:
            return False
        if any(c["before"][k] != c["after"][k] for k in c["before"] if k != "insured_value_cents"):
            return False
    return True
