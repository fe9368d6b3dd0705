import datetime


def _report(world):
    return world.initial.one(
        "SELECT r.served_on AS served_on, r.reduced_cents AS reduced_cents, k.early_discount AS early_discount FROM breach_reports r"
        " JOIN breach_kinds k ON k.id = r.breach_kind_id JOIN market_days m ON m.id = r.market_day_id WHERE r.trader_id = 1 AND m.held_on = '2026-06-14' AND r.served_on = '2026-06-18'"
    )


def _last_day(world, days):
    return (datetime.date.fromisoformat(_report(world)["served_on"]) + datetime.timedelta(days=days)).isoformat()


def goal_says_what_to_pay_today(world) -> bool:
    """Says what would be paid today."""
    report = _report(world)
    early = report["early_discount"] == 1 and "2026-06-21" <= _last_day(world, 5)
    return world.report.says("to_pay_today", (report["reduced_cents"] * 70 + 50) // 100 if early else report["reduced_cents"])


def goal_says_what_to_pay_after(world) -> bool:
    """Says what would be paid after that."""
    return world.report.says("to_pay_after", _report(world)["reduced_cents"])


def goal_says_the_last_day_of_the_lower_sum(world) -> bool:
    """Says until when the lower sum holds."""
    return world.report.says("last_day_lower_sum", _last_day(world, 5))


def goal_says_the_last_day_of_the_reduced_sum(world) -> bool:
    """Says until when the reduced sum can be paid."""
    return world.report.says("last_day_reduced_sum", _last_day(world, 60))


def goal_says_the_last_day_of_a_defence(world) -> bool:
    """Says until when a defence can be sent."""
    return world.report.says("last_day_defence", _last_day(world, 30))


def goal_says_what_was_spent(world) -> bool:
    """Says what was spent on fines and Sunday pitches since 1 May."""
    fines = world.initial.one("SELECT coalesce(sum(paid_cents), 0) AS n FROM breach_reports WHERE trader_id = 1 AND paid_on >= '2026-05-01'")["n"]
    pitches = world.initial.one(
        "SELECT coalesce(sum(f.pitch_cents + f.electricity_cents + f.surcharge_cents), 0) AS n FROM fee_charges f JOIN spunta_assignments a ON a.id = f.spunta_assignment_id"
        " JOIN market_days m ON m.id = a.market_day_id WHERE f.trader_id = 1 AND f.status = 'paid' AND m.weekday = 'sunday' AND f.paid_at >= '2026-05-01T00:00:00'"
    )["n"]
    return world.report.says("spent_since_may", fines + pitches)


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done, on the ground of no rule."""
    return world.report.outcome in (None, "done") and world.report.reason is None


def guard_changes_nothing(world) -> bool:
    """Changed nothing."""
    return world.changes == []
