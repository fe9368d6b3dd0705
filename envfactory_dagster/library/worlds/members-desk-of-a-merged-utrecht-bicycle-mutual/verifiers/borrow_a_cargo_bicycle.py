def _claim(world):
    """The damage claim for which the Babboe is in repair."""
    return world.initial.one(
        "SELECT cl.id FROM claims cl JOIN covers co ON co.id = cl.cover_id JOIN bicycles b ON b.id = co.bicycle_id"
        " WHERE cl.member_id = 1 AND b.make = 'Babboe' AND cl.kind = 'damage' AND cl.brought_in_on IS NOT NULL"
        " AND cl.repair_ready_on IS NULL AND cl.status IN ('reported', 'submitted', 'approved')"
    )


def _bicycle(world, loan_bicycle_id):
    """The cargo bicycle that was free at an agreement shop, or None."""
    return world.initial.one(
        "SELECT b.id, s.name FROM loan_bicycles b JOIN repair_shops s ON s.id = b.repair_shop_id"
        " WHERE b.id = ? AND b.kind = 'cargo' AND s.has_agreement = 1"
        " AND NOT EXISTS (SELECT 1 FROM loans l WHERE l.loan_bicycle_id = b.id AND l.returned_on IS NULL)",
        [loan_bicycle_id],
    )


def _new_loans(world):
    return [c["after"] for c in world.changes if c["table"] == "loans" and c["before"] is None]


def goal_cargo_bicycle_is_borrowed(world) -> bool:
    """A free cargo bicycle is borrowed on that claim from 16 June 2026 for 14 days."""
    loans = _new_loans(world)
    return (
        len(loans) == 1
        and loans[0]["claim_id"] == _claim(world)["id"]
        and _bicycle(world, loans[0]["loan_bicycle_id"]) is not None
        and loans[0]["starts_on"] == "2026-06-16"
        and loans[0]["due_on"] == "2026-06-30"
        and loans[0]["extended_at"] is None
        and loans[0]["returned_on"] is None
    )


def goal_says_where_to_collect_it(world) -> bool:
    """Says at which shop the borrowed bicycle stands."""
    loans = _new_loans(world)
    bicycle = _bicycle(world, loans[0]["loan_bicycle_id"]) if len(loans) == 1 else None
    return bicycle is not None and world.report.says("collect_at", bicycle["name"])


def goal_says_when_it_has_to_be_back(world) -> bool:
    """Says that it has to be back 14 days after 16 June 2026."""
    return world.report.says("back_on", "2026-06-30")


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_adds_one_loan_only(world) -> bool:
    """Changed nothing but one new loan on that claim."""
    return len(world.changes) <= 1 and all(
        c["table"] == "loans" and c["before"] is None and c["after"]["claim_id"] == _claim(world)["id"]
        for c in world.changes
    )
