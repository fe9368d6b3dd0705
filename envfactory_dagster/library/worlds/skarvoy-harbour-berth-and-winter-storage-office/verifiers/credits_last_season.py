from datetime import date, timedelta


def _nights(first_day, last_day):
    first, last = date.fromisoformat(first_day), date.fromisoformat(last_day)
    return {first + timedelta(days=n) for n in range((last - first).days)}


def goal_says_the_total(world) -> bool:
    """Has told what the user was credited from May to October 2025."""
    row = world.initial.one(
        "SELECT sum(amount_cents) AS total FROM owner_credits"
        " WHERE boat_owner_id = 1 AND credited_at >= '2025-05-01' AND credited_at < '2025-11-01'"
    )
    return world.report.says("credited_total", row["total"])


def goal_says_the_best_absence(world) -> bool:
    """Has told the first day of the absence that brought in the most."""
    row = world.initial.one(
        "SELECT n.first_day, sum(c.amount_cents) AS total FROM owner_credits c"
        " JOIN guest_stays s ON s.id = c.guest_stay_id JOIN absence_notices n ON n.id = s.absence_notice_id"
        " WHERE c.boat_owner_id = 1 AND c.credited_at >= '2025-05-01' AND c.credited_at < '2025-11-01'"
        " GROUP BY n.id ORDER BY total DESC LIMIT 1"
    )
    return world.report.says("best_absence_first_day", row["first_day"])


def goal_says_the_empty_nights(world) -> bool:
    """Has told on how many nights away in that season no guest lay in the berth."""
    empty = 0
    notices = world.initial.query(
        "SELECT n.first_day, n.last_day, l.berth_id FROM absence_notices n"
        " JOIN berth_leases l ON l.id = n.berth_lease_id JOIN boats b ON b.id = l.boat_id"
        " WHERE b.boat_owner_id = 1 AND n.status <> 'withdrawn'"
        " AND n.first_day >= '2025-05-01' AND n.first_day <= '2025-10-31'"
    )
    for notice in notices:
        left = _nights(notice["first_day"], notice["last_day"])
        stays = world.initial.query(
            "SELECT first_day, last_day FROM guest_stays"
            " WHERE berth_id = ? AND status <> 'cancelled' AND first_day < ? AND last_day > ?",
            [notice["berth_id"], notice["last_day"], notice["first_day"]],
        )
        for stay in stays:
            left -= _nights(stay["first_day"], stay["last_day"])
        empty += len(left)
    return world.report.says("empty_nights", empty)


def guard_changes_nothing(world) -> bool:
    """Touched no row."""
    return len(world.changes) == 0


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done") and world.report.reason is None
