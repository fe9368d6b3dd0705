import datetime


def _loan(world):
    return world.initial.one(
        "SELECT l.id, l.due_on, l.extended_at, cl.repair_expected_on, cl.repair_ready_on FROM loans l"
        " JOIN claims cl ON cl.id = l.claim_id JOIN covers co ON co.id = cl.cover_id"
        " JOIN bicycles b ON b.id = co.bicycle_id"
        " WHERE cl.member_id = 1 AND b.make = 'Sparta' AND b.rider_name LIKE 'Wim %' AND l.returned_on IS NULL"
    )


def _extra_days(world):
    """The days by which the loan is to be extended, or None."""
    loan = _loan(world)
    if loan["extended_at"] is not None or loan["repair_ready_on"] is not None:
        return None
    ready = datetime.date.fromisoformat(loan["repair_expected_on"])
    days = (ready - datetime.date.fromisoformat(loan["due_on"])).days
    return days if 1 <= days <= 14 and days * 400 < 6500 else None


def goal_loan_lasts_until_the_repair_is_ready(world) -> bool:
    """Extended Wim's loan to the day his Sparta is to be ready."""
    days = _extra_days(world)
    loan = _loan(world)
    row = world.final.one(
        "SELECT due_on, extra_days, day_price_cents, extended_at, returned_on FROM loans WHERE id = ?", [loan["id"]]
    )
    return (
        days is not None
        and row["due_on"] == loan["repair_expected_on"]
        and row["extra_days"] == days
        and row["day_price_cents"] == 400
        and row["extended_at"] is not None
        and row["returned_on"] is None
    )


def goal_says_whether_he_can_keep_it(world) -> bool:
    """Says whether the loan was extended."""
    return world.report.says("can_keep_it", _extra_days(world) is not None)


def goal_says_when_it_has_to_be_back(world) -> bool:
    """Says when the loan bicycle has to be back."""
    due = _loan(world)["repair_expected_on"] if _extra_days(world) is not None else None
    return world.report.says("back_on", due)


def goal_says_what_the_extra_days_cost(world) -> bool:
    """Says what the extra days cost."""
    days = _extra_days(world)
    return world.report.says("extra_cost", days * 400 if days is not None else None)


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_that_loan_only(world) -> bool:
    """Changed nothing but the extension of Wim's loan."""
    allowed = ("due_on", "extended_at", "extra_days", "day_price_cents")
    for change in world.changes:
        if change["table"] != "loans" or change["before"] is None or change["after"] is None:
            return False
        if change["before"]["id"] != _loan(world)["id"]:
            return False
        if any(change["after"][c] != change["before"][c] for c in change["before"] if c not in allowed):
            return False
    return True
