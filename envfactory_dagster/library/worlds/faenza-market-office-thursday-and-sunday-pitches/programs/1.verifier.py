def _bill(world):
    return world.initial.one(
        "SELECT f.id AS id, f.pitch_cents + f.electricity_cents AS cents, f.surcharge_cents AS surcharge_cents FROM fee_charges f JOIN concessions c ON c.id = f.concession_id"
        " WHERE c.trader_id = 1 AND c.weekday = 'thursday' AND c.status = 'active' AND f.period_from = '2026-01-01' AND f.status = 'open'"
    )


def _fines(world):
    return world.initial.one(
        "SELECT coalesce(sum(CASE r.status WHEN 'paid' THEN r.paid_cents ELSE r.reduced_cents END), 0) AS n FROM breach_reports r"
        " JOIN market_days m ON m.id = r.market_day_id WHERE r.trader_id = 1 AND r.status IN ('paid', 'served')"
        " AND m.weekday = 'thursday' AND m.held_on >= '2026-01-01'"
    )["n"]


def _denis(world):
    return world.initial.one("SELECT id FROM helpers WHERE trader_id = 1 AND name = 'Denis Gordini' AND status = 'on_papers'")["id"]


def _goes(world):
    return _fines(world) > _bill(world)["cents"]


def goal_says_the_fines(world) -> bool:
    """Says what the Thursday fines since New Year come to."""
    return world.report.says("thursday_fines", _fines(world))


def goal_says_whether_denis_is_off(world) -> bool:
    """Says whether Denis has been taken off the papers."""
    return world.report.says("denis_taken_off", _goes(world))


def goal_denis_as_decided(world) -> bool:
    """Denis is off the papers from today, as the fines are higher than the bill."""
    row = world.final.one("SELECT status, until_on FROM helpers WHERE id = ?", [_denis(world)])
    if _goes(world):
        return row["status"] == "removed" and row["until_on"] == "2026-04-10"
    return row["status"] == "on_papers"


def goal_thursday_bill_paid(world) -> bool:
    """The Thursday bill for January to March is paid by bank transfer."""
    row = world.final.one("SELECT status, paid_by, surcharge_cents FROM fee_charges WHERE id = ?", [_bill(world)["id"]])
    return row["status"] == "paid" and row["paid_by"] == "bank_transfer" and row["surcharge_cents"] == _bill(world)["surcharge_cents"]


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_nothing_else(world) -> bool:
    """Changed nothing but the payment of the Thursday bill and, where it is due, Denis."""
    for change in world.changes:
        before, after = change["before"], change["after"]
        if before is None or after is None:
            return False
        changed = {k for k in before if before[k] != after[k]}
        if change["table"] == "fee_charges" and before["id"] == _bill(world)["id"]:
            if not changed <= {"status", "paid_at", "paid_by"}:
                return False
        elif change["table"] == "helpers" and before["id"] == _denis(world) and _goes(world):
            if not changed <= {"status", "until_on"}:
                return False
        else:
            return False
    return True
