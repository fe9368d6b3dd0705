def _paid(world):
    return world.initial.one(
        "SELECT coalesce(sum(amount_cents), 0) AS n FROM claims WHERE household_id = 1 AND status = 'settled'")["n"]


def _ahead(world):
    return world.initial.query(
        "SELECT id, price_cents FROM sauna_turns WHERE household_id = 1 AND status = 'booked'"
        " AND substr(starts_at, 1, 10) >= ? ORDER BY starts_at, id", ["2026-07-07"])


def _missing(world):
    return sum(turn["price_cents"] for turn in _ahead(world)) - _paid(world)


def _doomed(world):
    return _ahead(world)[-1]["id"] if _missing(world) > 0 else None


def goal_says_whether_covered(world) -> bool:
    """Says whether the claims cover the sauna turns ahead."""
    return world.report.says("covered", "no" if _missing(world) > 0 else "yes")


def goal_says_what_was_missing(world) -> bool:
    """Says how much was missing, and leaves it empty where nothing was."""
    missing = _missing(world)
    return world.report.outcome is not None and world.report.says("short_by", missing if missing > 0 else None)


def goal_says_what_is_left(world) -> bool:
    """Says what is left over, and leaves it empty where nothing is."""
    missing = _missing(world)
    return world.report.outcome is not None and world.report.says("left_over", None if missing > 0 else -missing)


def goal_cancels_the_last_turn(world) -> bool:
    """Cancelled the sauna turn in August, as the claims do not cover them all."""
    row = world.final.one("SELECT status, cancelled_at FROM sauna_turns WHERE id = ?", [_doomed(world)])
    return row is not None and row["status"] == "cancelled" and row["cancelled_at"] is not None


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_that_turn_only(world) -> bool:
    """Changed nothing but the state of the sauna turn in August."""
    return len(world.changes) <= 1 and all(
        change["table"] == "sauna_turns" and change["before"] is not None and change["after"] is not None
        and change["before"]["id"] == _doomed(world)
        and all(change["after"][column] == value for column, value in change["before"].items()
                if column not in ("status", "cancelled_at"))
        for change in world.changes)
