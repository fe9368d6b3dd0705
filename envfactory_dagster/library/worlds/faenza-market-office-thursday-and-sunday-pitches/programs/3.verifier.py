import datetime


def _charges(world):
    return world.initial.query("SELECT id, pitch_cents + electricity_cents + surcharge_cents AS cents FROM fee_charges WHERE trader_id = 1 AND status = 'open' ORDER BY id")


def _reports(world):
    """The served reports: those that can no longer be contested, and the last days of the others."""
    settled, last_days = [], []
    for row in world.initial.query("SELECT id, served_on, reduced_cents FROM breach_reports WHERE trader_id = 1 AND status = 'served' ORDER BY id"):
        last_day = datetime.date.fromisoformat(row["served_on"]) + datetime.timedelta(days=30)
        if last_day < datetime.date(2026, 4, 10):
            settled.append(row)
        else:
            last_days.append(last_day.isoformat())
    return settled, last_days


def goal_says_what_was_paid(world) -> bool:
    """Says what was paid in all."""
    total = sum(r["cents"] for r in _charges(world)) + sum(r["reduced_cents"] for r in _reports(world)[0])
    return world.report.says("paid_in_all", total)


def goal_says_the_last_day(world) -> bool:
    """Says until when a defence against the report that is left can be sent."""
    return world.report.says("last_day_for_defence", min(_reports(world)[1]))


def goal_quarters_paid(world) -> bool:
    """Both quarters are paid by bank transfer, without a surcharge."""
    for row in _charges(world):
        after = world.final.one("SELECT status, paid_by, surcharge_cents FROM fee_charges WHERE id = ?", [row["id"]])
        if after["status"] != "paid" or after["paid_by"] != "bank_transfer" or after["surcharge_cents"] != 0:
            return False
    return True


def goal_old_fine_paid(world) -> bool:
    """The fine that can no longer be contested is paid at the full reduced sum."""
    for row in _reports(world)[0]:
        after = world.final.one("SELECT status, paid_on, paid_cents FROM breach_reports WHERE id = ?", [row["id"]])
        if after["status"] != "paid" or after["paid_on"] != "2026-04-10" or after["paid_cents"] != row["reduced_cents"]:
            return False
    return True


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_nothing_else(world) -> bool:
    """Changed nothing but the payment of the quarters and of the fines that can no longer be contested."""
    charges = [r["id"] for r in _charges(world)]
    reports = [r["id"] for r in _reports(world)[0]]
    for change in world.changes:
        before, after = change["before"], change["after"]
        if before is None or after is None:
            return False
        changed = {k for k in before if before[k] != after[k]}
        if change["table"] == "fee_charges" and before["id"] in charges:
            if not changed <= {"status", "paid_at", "paid_by"}:
                return False
        elif change["table"] == "breach_reports" and before["id"] in reports:
            if not changed <= {"status", "paid_on", "paid_cents"}:
                return False
        else:
            return False
    return True
