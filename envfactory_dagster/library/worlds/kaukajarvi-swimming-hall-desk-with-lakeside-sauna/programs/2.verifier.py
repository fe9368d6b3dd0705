_NAMES = (
    ("sauna_turn", "private sauna turns"),
    ("course", "swimming courses"),
    ("lane_hour", "lane hours"),
    ("locker", "lockers"),
)


def _costs(world):
    """What each of the four has cost out of the person's own pocket since 1 September 2025."""
    costs = {}
    for category, name in _NAMES:
        costs[name] = world.initial.one(
            "SELECT coalesce(sum(CASE p.kind WHEN 'payment' THEN p.amount_cents ELSE -p.amount_cents END), 0) AS n"
            " FROM payments p JOIN prices r ON r.id = p.price_id"
            " WHERE p.customer_id = 1 AND r.category = ? AND r.code <> 'locker_key_deposit'"
            " AND p.method IN ('bank_card', 'cash') AND substr(p.paid_at, 1, 10) >= '2025-09-01'",
            [category],
        )["n"]
    return costs


def _dearest(world):
    costs = _costs(world)
    return max(costs, key=costs.get)


def _free_turns(world):
    """The sauna turns ahead that start in more than 72 hours and have not been moved; None when they are not asked for."""
    if _dearest(world) != "private sauna turns":
        return None
    return world.initial.query(
        "SELECT t.held_on, t.price_cents FROM sauna_turns t JOIN sauna_slots s ON s.id = t.sauna_slot_id"
        " WHERE t.customer_id = 1 AND t.status = 'booked' AND t.moved_at IS NULL"
        " AND t.held_on || 'T' || s.starts_time || ':00' > '2026-03-05T17:00:00'"
        " ORDER BY t.held_on, s.starts_time"
    )


def goal_says_which_extra_is_dearest(world) -> bool:
    """Says which of the four has cost most."""
    return world.report.says("dearest_extra", _dearest(world))


def goal_says_how_much_it_cost(world) -> bool:
    """Says how much that has cost."""
    return world.report.says("amount_spent", _costs(world)[_dearest(world)])


def goal_says_which_days_are_free_to_cancel(world) -> bool:
    """Says on which days there is a sauna turn that can be given up today free of charge."""
    turns = _free_turns(world)
    days = None if turns is None else sorted({t["held_on"] for t in turns})
    return world.report.says("days_free_to_cancel", days)


def goal_says_what_would_come_back(world) -> bool:
    """Says how much would come back for all of those turns."""
    turns = _free_turns(world)
    back = None if turns is None else sum(t["price_cents"] for t in turns)
    return world.report.says("amount_coming_back", back)


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_nothing(world) -> bool:
    """Changed nothing at all; nothing was to be cancelled yet."""
    return not world.changes
