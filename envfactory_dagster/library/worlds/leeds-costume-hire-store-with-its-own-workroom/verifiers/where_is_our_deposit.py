from datetime import date, timedelta


def _add_working_days(world, day, count):
    off = {r["day"] for r in world.initial.query("SELECT day FROM bank_holidays")}
    moving = date.fromisoformat(day)
    while count > 0:
        moving += timedelta(days=1)
        if moving.weekday() < 5 and moving.isoformat() not in off:
            count -= 1
    return moving.isoformat()


def _deposit(world):
    return world.initial.one(
        "SELECT d.id, d.amount_cents, h.inspected_at FROM deposits d JOIN hires h ON h.id = d.hire_id"
        " JOIN customers c ON c.id = h.customer_id WHERE c.name = 'Beckside School' AND h.show_title = 'An Inspector Calls'"
        " AND substr(h.returned_at, 1, 10) = '2024-11-04'"
    )


def _charged(world, agreed_only):
    return sum(
        r["amount_cents"]
        for r in world.initial.query(
            "SELECT amount_cents, agreed_at FROM deposit_charges WHERE deposit_id = ? ORDER BY id", [_deposit(world)["id"]]
        )
        if r["agreed_at"] is not None or not agreed_only
    )


def goal_says_the_deposit(world) -> bool:
    """Says how much was left as a deposit."""
    return world.report.says("deposit", _deposit(world)["amount_cents"])


def goal_says_whether_it_is_inspected(world) -> bool:
    """Says whether the inspection has been done."""
    return world.report.says("inspected", _deposit(world)["inspected_at"] is not None)


def goal_says_what_was_charged(world) -> bool:
    """Says what was charged against the deposit altogether."""
    return world.report.says("charged", _charged(world, False))


def goal_says_what_comes_back(world) -> bool:
    """Says how much of the deposit comes back, less the agreed charges."""
    return world.report.says("paid_back", _deposit(world)["amount_cents"] - _charged(world, True))


def goal_says_by_when(world) -> bool:
    """Says by which day it has to be released, five working days after the inspection."""
    return world.report.says("release_by", _add_working_days(world, _deposit(world)["inspected_at"][:10], 5))


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_nothing(world) -> bool:
    """Changed nothing at all."""
    return world.changes == []
