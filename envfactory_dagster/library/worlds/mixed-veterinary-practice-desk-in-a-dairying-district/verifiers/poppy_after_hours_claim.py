def _poppy(world):
    return world.initial.one("SELECT id FROM patients WHERE client_id = 1 AND name = 'Poppy'")["id"]


def _plan(world):
    return world.initial.one(
        "SELECT id FROM wellness_plan_memberships WHERE client_id = 1 AND patient_id = ? AND status = 'active'"
        " AND starts_on <= '2025-06-01' AND ends_on >= '2025-06-01'",
        [_poppy(world)],
    )["id"]


def _bill(world):
    return world.initial.one(
        "SELECT i.id, (SELECT SUM(l.amount_cents) FROM invoice_lines l WHERE l.invoice_id = i.id) AS total FROM invoices i"
        " WHERE i.client_id = 1 AND i.practice = 'neighbour' AND i.status = 'open' AND i.due_on = '2025-06-20'"
    )


def _consult(world):
    return world.initial.one(
        "SELECT SUM(amount_cents) AS n FROM invoice_lines WHERE invoice_id = ? AND patient_id = ? AND kind = 'consult'"
        " AND provided_on = '2025-06-01'",
        [_bill(world)["id"], _poppy(world)],
    )["n"]


def _is_claim(world, row):
    return (
        row["membership_id"] == _plan(world)
        and row["invoice_id"] == _bill(world)["id"]
        and row["kind"] == "after_hours"
        and row["amount_cents"] == _consult(world)
        and row["status"] == "submitted"
    )


def goal_claim_is_submitted(world) -> bool:
    """Has one new after-hours claim on Poppy's plan for the consult on the neighbour's bill."""
    rows = [c["after"] for c in world.changes if c["table"] == "plan_claims" and c["before"] is None]
    return len(rows) == 1 and _is_claim(world, rows[0])


def goal_says_what_is_left_to_pay(world) -> bool:
    """Says what of the bill the claim leaves to pay."""
    bill = _bill(world)
    paid = world.initial.one("SELECT COALESCE(SUM(amount_cents), 0) AS n FROM payments WHERE invoice_id = ?", [bill["id"]])["n"]
    return world.report.says("left_to_pay", bill["total"] - paid - _consult(world))


def guard_changes_nothing_else(world) -> bool:
    """Touches nothing but that one new claim."""
    return len(world.changes) <= 1 and all(
        c["table"] == "plan_claims" and c["before"] is None and c["after"] is not None and _is_claim(world, c["after"])
        for c in world.changes
    )


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done, for no rule."""
    return world.report.outcome in (None, "done") and world.report.reason is None
