def _removal(world):
    return world.initial.one(
        "SELECT r.id FROM removals r JOIN removal_addresses a ON a.removal_id = r.id WHERE r.customer_id = 1"
        " AND r.removal_day = '2025-07-15' AND a.stop = 'from' AND a.street = 'Zinzendorfgasse 19'"
    )["id"]


def _charge(world, kind):
    return world.initial.query(
        "SELECT l.amount_cents, l.charged_from, l.charged_to FROM invoice_lines l JOIN invoices i ON i.id = l.invoice_id"
        " WHERE i.removal_id = ? AND i.status <> 'cancelled' AND l.kind = ?",
        [_removal(world), kind],
    )


def goal_says_whether_charged_twice(world) -> bool:
    """Says whether waiting and overtime were charged for the same time."""
    twice = any(
        w["charged_from"] < o["charged_to"] and o["charged_from"] < w["charged_to"]
        for w in _charge(world, "waiting")
        for o in _charge(world, "overtime")
    )
    return world.report.says("charged_twice", twice)


def goal_says_the_waiting(world) -> bool:
    """Says what was charged for waiting."""
    return world.report.says("waiting", sum(line["amount_cents"] for line in _charge(world, "waiting")))


def goal_says_the_overtime(world) -> bool:
    """Says what was charged for overtime."""
    return world.report.says("overtime", sum(line["amount_cents"] for line in _charge(world, "overtime")))


def goal_says_who_led_the_crew(world) -> bool:
    """Says the name of the crew leader that day."""
    row = world.initial.one(
        "SELECT c.name FROM work_sheets w JOIN crew_members c ON c.id = w.crew_leader_id WHERE w.removal_id = ?",
        [_removal(world)],
    )
    return world.report.says("crew_leader", row["name"])


def goal_reports_the_damage(world) -> bool:
    """Damage of 280 euros is reported for this move, in the person's name."""
    new = [c["after"] for c in world.changes if c["table"] == "damage_claims" and c["before"] is None]
    return len(new) == 1 and (
        new[0]["customer_id"] == 1
        and new[0]["removal_id"] == _removal(world)
        and new[0]["amount_cents"] == 28000
        and new[0]["status"] == "reported"
        and new[0]["description"].strip() != ""
    )


def guard_adds_one_claim_only(world) -> bool:
    """Changed nothing but one new damage claim of the person's for this move."""
    return len(world.changes) <= 1 and all(
        c["table"] == "damage_claims"
        and c["before"] is None
        and c["after"]["customer_id"] == 1
        and c["after"]["removal_id"] == _removal(world)
        for c in world.changes
    )


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done, with no rule against it."""
    return world.report.outcome in (None, "done") and world.report.reason is None
