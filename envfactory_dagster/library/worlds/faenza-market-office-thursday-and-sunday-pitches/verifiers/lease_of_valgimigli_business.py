def _concession(world):
    """Ortensia Valgimigli's standing concession for S3 on Sundays."""
    return world.initial.one(
        "SELECT c.id AS id, c.trader_id AS trader_id FROM concessions c JOIN traders t ON t.id = c.trader_id JOIN pitches p ON p.id = c.pitch_id"
        " WHERE t.name = 'Ortensia Valgimigli' AND p.code = 'S3' AND c.weekday = 'sunday' AND c.ended_on IS NULL"
    )


def goal_lease_notified(world) -> bool:
    """The lease to the user has been notified, with its notary, deed and 24 months from 1 July."""
    concession = _concession(world)
    last = world.initial.one("SELECT coalesce(max(id), 0) AS n FROM business_transfers")["n"]
    row = world.final.one(
        "SELECT count(*) AS n FROM business_transfers WHERE id > ? AND concession_id = ? AND from_trader_id = ? AND to_trader_id = 1 AND kind = 'lease'"
        " AND deed_on = '2026-05-12' AND starts_on = '2026-07-01' AND ends_on = '2028-06-30' AND status = 'notified'"
        " AND (same_text(notary, ?) OR same_text(notary, ?) OR same_text(notary, ?) OR same_text(notary, ?))",
        [last, concession["id"], concession["trader_id"], "Ricci of Faenza", "Ricci, Faenza", "notary Ricci of Faenza", "notary Ricci, Faenza"],
    )
    return row["n"] == 1


def goal_says_the_unexcused_absences(world) -> bool:
    """Says how many unexcused absences that concession has this year."""
    row = world.initial.one(
        "SELECT count(*) AS n FROM presences p JOIN market_days m ON m.id = p.market_day_id"
        " WHERE p.concession_id = ? AND p.status = 'absent' AND m.absences_count = 1 AND substr(m.held_on, 1, 4) = '2026'",
        [_concession(world)["id"]],
    )
    return world.report.says("unexcused_absences", row["n"])


def goal_says_whether_anything_is_unpaid(world) -> bool:
    """Says whether anything on that concession is unpaid."""
    row = world.initial.one("SELECT count(*) AS n FROM fee_charges WHERE concession_id = ? AND status = 'open'", [_concession(world)["id"]])
    return world.report.says("anything_unpaid", row["n"] > 0)


def guard_adds_only_that_notice(world) -> bool:
    """Added at most one notice of a lease of that concession to the user and touched nothing else."""
    concession = _concession(world)
    if len(world.changes) > 1:
        return False
    for change in world.changes:
        after = change["after"]
        if change["table"] != "business_transfers" or change["before"] is not None:
            return False
        if after["concession_id"] != concession["id"] or after["from_trader_id"] != concession["trader_id"] or after["to_trader_id"] != 1:
            return False
        if after["kind"] != "lease" or after["status"] != "notified":
            return False
    return True


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done, on the ground of no rule."""
    return world.report.outcome in (None, "done") and world.report.reason is None
