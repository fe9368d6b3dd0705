def _wheelchair(world):
    """The wheelchair that the user offered in September."""
    return world.initial.one(
        "SELECT d.status, d.decision_reason FROM donations d JOIN item_types t ON t.id = d.item_type_id"
        " WHERE d.client_id = 1 AND t.name = 'wheelchair' AND d.offered_on >= '2026-09-01' AND d.offered_on <= '2026-09-30'"
    )


def _mattress_type(world):
    return world.initial.one("SELECT id FROM item_types WHERE name = 'pressure mattress'")["id"]


def goal_mattress_is_offered(world) -> bool:
    """As the wheelchair was refused, one sealed pressure mattress worth $640 by its receipt is offered by the user."""
    before = world.initial.one("SELECT COUNT(*) AS n FROM donations")["n"]
    after = world.final.one("SELECT COUNT(*) AS n FROM donations")["n"]
    row = world.final.one(
        "SELECT COUNT(*) AS n FROM donations WHERE client_id = 1 AND item_type_id = ? AND sealed = 1"
        " AND value_cents = 64000 AND valued_by = 'receipt' AND status = 'offered'",
        [_mattress_type(world)],
    )
    return _wheelchair(world)["status"] == "refused" and after == before + 1 and row["n"] == 1


def goal_says_the_decision(world) -> bool:
    """Says what was decided about the wheelchair."""
    status = _wheelchair(world)["status"]
    return world.report.says("decision", "not decided yet" if status == "offered" else status)


def goal_says_the_reason(world) -> bool:
    """Says why it was decided like that."""
    return world.report.says("decision_reason", _wheelchair(world)["decision_reason"])


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done, with no rule in the way."""
    return world.report.outcome in (None, "done") and world.report.reason is None


def guard_changes_nothing_else(world) -> bool:
    """Changed nothing but one new donation of a pressure mattress by the user."""
    for change in world.changes:
        after = change["after"]
        if change["table"] != "donations" or change["before"] is not None or after is None:
            return False
        if after["client_id"] != 1 or after["item_type_id"] != _mattress_type(world) or after["sealed"] != 1:
            return False
        if after["value_cents"] != 64000 or after["valued_by"] != "receipt" or after["status"] != "offered":
            return False
    return len(world.changes) <= 1
