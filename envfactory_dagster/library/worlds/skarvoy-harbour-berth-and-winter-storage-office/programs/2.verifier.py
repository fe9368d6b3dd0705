import datetime


def _notices(world):
    rows = world.initial.query(
        "SELECT n.id, n.first_day, n.last_day, n.status FROM absence_notices n"
        " JOIN berth_leases l ON l.id = n.berth_lease_id JOIN boats b ON b.id = l.boat_id"
        " WHERE b.boat_owner_id = 1 AND n.status <> 'withdrawn' ORDER BY n.id"
    )
    for row in rows:
        row["nights"] = _nights(row)
        stays = world.initial.query(
            "SELECT first_day, last_day FROM guest_stays WHERE absence_notice_id = ? AND status <> 'cancelled'",
            (row["id"],),
        )
        row["taken"] = sum(_nights(stay) for stay in stays)
    return rows


def _nights(row):
    day = datetime.date.fromisoformat
    return (day(row["last_day"]) - day(row["first_day"])).days


def _to_withdraw(world):
    return {n["id"] for n in _notices(world) if n["first_day"] > "2026-09-17" and n["taken"] == 0}


def goal_says_best_absence(world) -> bool:
    """Says from which day the absence was in which guests took the most nights."""
    best = max(_notices(world), key=lambda n: n["taken"])
    return world.report.says("best_first_day", best["first_day"])


def goal_says_nights_of_best_absence(world) -> bool:
    """Says how many nights guests took in that absence."""
    return world.report.says("best_guest_nights", max(n["taken"] for n in _notices(world)))


def goal_says_empty_nights(world) -> bool:
    """Says how many nights of all absences had or have no guest."""
    return world.report.says("empty_nights", sum(n["nights"] - n["taken"] for n in _notices(world)))


def goal_withdraws_absences_without_guests(world) -> bool:
    """Withdrew every absence still to come for which no guest is booked."""
    wanted = _to_withdraw(world)
    done = {
        row["id"]
        for row in world.final.query(
            "SELECT id FROM absence_notices WHERE status = 'withdrawn' AND withdrawn_at IS NOT NULL"
        )
    }
    return bool(wanted) and wanted <= done


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_nothing_else(world) -> bool:
    """Changed nothing but the state of the absences that are to be withdrawn."""
    wanted = _to_withdraw(world)
    for change in world.changes:
        before, after = change["before"], change["after"]
        if change["table"] != "absence_notices" or before is None or after is None or before["id"] not in wanted:
            return False
        if any(before[k] != after[k] for k in before if k not in ("status", "withdrawn_at")):
            return False
        if after["status"] != "withdrawn":
            return False
    return True
