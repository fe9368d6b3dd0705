def _things(world):
    once, double, nothing = [], [], []
    for row in world.initial.query(
        "SELECT l.piece_id, l.set_id, p.is_class_p, a.kind, COALESCE(p.description, s.name, a.description) AS description"
        " FROM hire_lines l JOIN hires h ON h.id = l.hire_id JOIN customers c ON c.id = h.customer_id"
        " LEFT JOIN pieces p ON p.id = l.piece_id LEFT JOIN sets s ON s.id = l.set_id"
        " LEFT JOIN accessories a ON a.id = l.accessory_id"
        " WHERE c.name = 'Headingley Lamplight Players' AND h.status IN ('held', 'confirmed', 'out') AND l.status = 'active'"
        " AND (h.status <> 'held' OR h.hold_lapses_at > ?) ORDER BY l.id",
        ["2024-04-15T10:30:00"],
    ):
        if row["piece_id"] is not None and row["is_class_p"] == 1:
            double.append(row["description"])
        elif row["piece_id"] is not None or row["set_id"] is not None or row["kind"] in ("weapon", "jewellery"):
            once.append(row["description"])
        else:
            nothing.append(row["description"])
    return once, double, nothing


def goal_says_what_counts_once(world) -> bool:
    """Says which of the things count as one."""
    return world.report.says("counts_once", _things(world)[0])


def goal_says_what_counts_double(world) -> bool:
    """Says which of the things count double."""
    return world.report.says("counts_double", _things(world)[1])


def goal_says_what_does_not_count(world) -> bool:
    """Says which of the things do not count at all."""
    return world.report.says("counts_not", _things(world)[2])


def goal_says_the_total(world) -> bool:
    """Says what the Players have now as it counts against the limit."""
    once, double, nothing = _things(world)
    return world.report.says("total", len(once) + 2 * len(double))


def goal_says_the_room_left(world) -> bool:
    """Says how many more ordinary pieces the Players could take."""
    once, double, nothing = _things(world)
    return world.report.says("room", 40 - len(once) - 2 * len(double))


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_nothing(world) -> bool:
    """Changed nothing at all."""
    return world.changes == []
