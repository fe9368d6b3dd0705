def _total(job):
    work = max(3500, job["lines"] * 140)
    if job["urgent"]:
        work = work * 130 // 100
    gross = ((work + 4000) * 122 + 50) // 100
    return gross + (0 if job["exempt"] else 1600 * ((job["lines"] + 99) // 100))


def _candidates(world):
    return world.initial.query(
        "SELECT i.id AS id, i.lines AS lines, i.urgent AS urgent, i.exempt AS exempt, i.cliente_id AS cliente_id,"
        " i.original_received_on AS original, c.name AS name,"
        " (SELECT coalesce(sum(p.amount_cents), 0) FROM movimenti_di_cassa p WHERE p.incarico_id = i.id) AS paid"
        " FROM incarichi i JOIN clienti c ON c.id = i.cliente_id"
        " WHERE i.socio_id = 1 AND i.status = 'accepted' AND i.ready_on < '2027-01-05' AND i.deadline >= '2027-01-05'"
        " AND NOT EXISTS (SELECT 1 FROM giuramenti g WHERE g.incarico_id = i.id AND g.outcome = 'awaited')"
    )


def _sworn_and_paid(world, cliente_id):
    rows = world.initial.query(
        "SELECT i.lines AS lines, i.urgent AS urgent, i.exempt AS exempt,"
        " (SELECT coalesce(sum(p.amount_cents), 0) FROM movimenti_di_cassa p WHERE p.incarico_id = i.id) AS paid"
        " FROM incarichi i WHERE i.cliente_id = ? AND i.status IN ('sworn', 'collected')",
        (cliente_id,),
    )
    return sum(1 for row in rows if row["paid"] >= _total(row))


def _bookable(world, row):
    if row["original"] is None:
        return False
    if 2 * row["paid"] >= _total(row):
        return True
    return not row["urgent"] and _sworn_and_paid(world, row["cliente_id"]) >= 6


def goal_books_all_that_can_be_booked(world) -> bool:
    """Booked every job that can be sworn on 5 January and lacks nothing for that morning."""
    for row in _candidates(world):
        if _bookable(world, row):
            found = world.final.one(
                "SELECT count(*) AS n FROM giuramenti g JOIN mattine m ON m.id = g.mattina_id"
                " WHERE g.incarico_id = ? AND g.outcome = 'awaited' AND m.day = '2027-01-05'",
                (row["id"],),
            )
            if found["n"] != 1:
                return False
    return True


def goal_says_whose_files_are_put_in(world) -> bool:
    """Says whose files are booked for 5 January now."""
    return world.report.says("put_in", [row["name"] for row in _candidates(world) if _bookable(world, row)])


def goal_says_whom_to_ring(world) -> bool:
    """Says which customers' files would be ready but lack the original or the deposit."""
    return world.report.says("to_ring", [row["name"] for row in _candidates(world) if not _bookable(world, row)])


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_nothing_but_these_bookings(world) -> bool:
    """Changed nothing but new places on 5 January for jobs that can be booked, one for each."""
    morning = world.initial.one("SELECT id FROM mattine WHERE day = '2027-01-05'")["id"]
    wanted = {row["id"] for row in _candidates(world) if _bookable(world, row)}
    seen = []
    for change in world.changes:
        after = change["after"]
        if change["table"] != "giuramenti" or change["before"] is not None or after is None:
            return False
        if after["mattina_id"] != morning or after["outcome"] != "awaited" or after["incarico_id"] not in wanted:
            return False
        if after["outcome_at"] is not None or after["cancelled_at"] is not None:
            return False
        seen.append(after["incarico_id"])
    return len(seen) == len(set(seen))
