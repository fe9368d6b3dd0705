def _total(job):
    work = max(3500, job["lines"] * 140)
    if job["urgent"]:
        work = work * 130 // 100
    gross = ((work + 4000) * 122 + 50) // 100
    return gross + (0 if job["exempt"] else 1600 * ((job["lines"] + 99) // 100))


def _owed(world):
    owed = {"2026-11-05": {}, "2026-11-10": {}}
    rows = world.initial.query(
        "SELECT m.day AS day, c.name AS name, i.lines AS lines, i.urgent AS urgent, i.exempt AS exempt,"
        " (SELECT coalesce(sum(p.amount_cents), 0) FROM movimenti_di_cassa p WHERE p.incarico_id = i.id) AS paid"
        " FROM giuramenti g JOIN mattine m ON m.id = g.mattina_id JOIN incarichi i ON i.id = g.incarico_id"
        " JOIN clienti c ON c.id = i.cliente_id"
        " WHERE i.socio_id = 1 AND g.outcome = 'awaited' AND m.day IN ('2026-11-05', '2026-11-10')"
    )
    for row in rows:
        day = owed[row["day"]]
        day[row["name"]] = day.get(row["name"], 0) + _total(row) - row["paid"]
    return owed


def _best(world):
    owed = _owed(world)
    return max(owed, key=lambda day: sum(owed[day].values()))


def goal_says_the_day(world) -> bool:
    """Says on which of the two days the customers owe more in all."""
    return world.report.says("day", _best(world))


def goal_says_the_customers(world) -> bool:
    """Says which customers' files go to court on that day."""
    return world.report.says("customers", sorted(_owed(world)[_best(world)]))


def goal_says_whom_to_ring_first(world) -> bool:
    """Says which of them owes the most."""
    owed = _owed(world)[_best(world)]
    return world.report.says("ring_first", max(owed, key=lambda name: owed[name]))


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_nothing(world) -> bool:
    """Changed nothing."""
    return len(world.changes) == 0
