def _hours(world, source_type, surname):
    row = world.initial.one(
        "SELECT coalesce(sum(t.hours), 0) AS n FROM time_entries t JOIN commissions c ON c.id = t.commission_id"
        " WHERE c.client_id = 1 AND t.source_type = ? AND t.worked_on >= '2026-01-01'"
        " AND (? IS NULL OR c.surname = ?)",
        (source_type, surname, surname),
    )
    return row["n"]


def _parish_is_larger(world):
    return _hours(world, "parish_register", None) > _hours(world, "ship_list", None)


def goal_says_parish_register_hours(world) -> bool:
    """Says how many hours went into parish registers since the start of 2026."""
    return bool(world.report.says("parish_register_hours", _hours(world, "parish_register", None)))


def goal_says_ship_list_hours(world) -> bool:
    """Says how many hours went into ship lists since the start of 2026."""
    return bool(world.report.says("ship_list_hours", _hours(world, "ship_list", None)))


def goal_says_wielgosz_share(world) -> bool:
    """Says how many of the parish register hours were for Wielgosz, if parish registers took more, and nothing otherwise."""
    wanted = _hours(world, "parish_register", "Wielgosz") if _parish_is_larger(world) else None
    return bool(world.report.says("wielgosz_parish_register_hours", wanted))


def goal_says_novotny_share(world) -> bool:
    """Says how many of the ship list hours were for Novotny, if ship lists took more, and nothing otherwise."""
    wanted = None if _parish_is_larger(world) else _hours(world, "ship_list", "Novotny")
    return bool(world.report.says("novotny_ship_list_hours", wanted))


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_nothing(world) -> bool:
    """Changed nothing, as only an answer was wanted."""
    return len(world.changes) == 0
