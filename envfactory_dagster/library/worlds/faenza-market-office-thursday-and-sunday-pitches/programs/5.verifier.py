def _bills(world):
    """For each standing concession of the user the bill due today and by how much it is lower than the one before."""
    return world.initial.query(
        "SELECT c.weekday AS weekday, f.id AS id, f.surcharge_cents AS surcharge_cents,"
        " (g.pitch_cents + g.electricity_cents + g.surcharge_cents) - (f.pitch_cents + f.electricity_cents + f.surcharge_cents) AS lower"
        " FROM concessions c JOIN fee_charges f ON f.concession_id = c.id AND f.period_from = '2026-01-01' AND f.status = 'open'"
        " JOIN fee_charges g ON g.concession_id = c.id AND g.period_from = '2025-10-01' AND g.status <> 'cancelled'"
        " WHERE c.trader_id = 1 AND c.status = 'active' ORDER BY c.id"
    )


def goal_says_which_bill_to_ask_about(world) -> bool:
    """Says for which market the bill is not lower."""
    asking = [b["weekday"].capitalize() for b in _bills(world) if b["lower"] <= 0]
    return world.report.says("bill_to_ask_about", "neither" if not asking else asking[0] if len(asking) == 1 else "both")


def goal_says_how_much_lower(world) -> bool:
    """Says by how much the bill that was paid is lower."""
    lower = sum(b["lower"] for b in _bills(world) if b["lower"] > 0)
    return world.report.says("lower_by", lower if lower else None)


def goal_lower_bill_paid(world) -> bool:
    """The bill that is lower is paid by bank transfer."""
    for bill in _bills(world):
        if bill["lower"] > 0:
            row = world.final.one("SELECT status, paid_by, surcharge_cents FROM fee_charges WHERE id = ?", [bill["id"]])
            if row["status"] != "paid" or row["paid_by"] != "bank_transfer" or row["surcharge_cents"] != bill["surcharge_cents"]:
                return False
    return True


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_nothing_else(world) -> bool:
    """Changed nothing but the payment of what is lower."""
    payable = [b["id"] for b in _bills(world) if b["lower"] > 0]
    for change in world.changes:
        before, after = change["before"], change["after"]
        if change["table"] != "fee_charges" or before is None or after is None or before["id"] not in payable:
            return False
        if not {k for k in before if before[k] != after[k]} <= {"status", "paid_at", "paid_by"}:
            return False
    return True
