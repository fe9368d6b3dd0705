import datetime


def _move(world):
    return world.initial.one(
        "SELECT r.* FROM removals r JOIN removal_addresses a ON a.removal_id = r.id WHERE r.customer_id = 1"
        " AND r.removal_day = '2025-08-04' AND r.status = 'confirmed' AND a.street = 'Brockmanngasse 75'"
    )


def _zone(world):
    return world.initial.one(
        "SELECT z.* FROM no_stopping_zones z JOIN removal_addresses a ON a.id = z.removal_address_id"
        " WHERE a.removal_id = ? AND z.status <> 'withdrawn' AND z.zone_day = '2025-08-04'",
        [_move(world)["id"]],
    )


def _days(world):
    """1 August if signs and piano lift can be there, otherwise all later weekdays up to 14 August on which they can."""
    holidays = {row["day"] for row in world.initial.query("SELECT day FROM public_holidays")}
    taken = {
        row["removal_day"]
        for row in world.initial.query(
            "SELECT r.removal_day FROM removals r WHERE r.status <> 'cancelled' AND r.id <> ?"
            " AND EXISTS (SELECT 1 FROM pianos p WHERE p.removal_id = r.id)",
            [_move(world)["id"]],
        )
    }
    good = []
    count = 0
    day = datetime.date(2025, 7, 24)
    while day < datetime.date(2025, 8, 14):
        day += datetime.timedelta(days=1)
        if day.weekday() < 5 and day.isoformat() not in holidays:
            count += 1
        if day >= datetime.date(2025, 8, 1) and day.weekday() < 5 and count >= 10 and day.isoformat() not in taken:
            good.append(day.isoformat())
    return ["2025-08-01"] if "2025-08-01" in good else good


def _new_day(world):
    return world.final.one("SELECT removal_day FROM removals WHERE id = ?", [_move(world)["id"]])["removal_day"]


def goal_moves_the_removal(world) -> bool:
    """The move stands on a weekday on which signs and piano lift can be there, moved once more than before."""
    row = world.final.one("SELECT status, date_changes FROM removals WHERE id = ?", [_move(world)["id"]])
    return (
        _new_day(world) in _days(world)
        and row["status"] == "confirmed"
        and row["date_changes"] == _move(world)["date_changes"] + 1
    )


def goal_moves_the_signs(world) -> bool:
    """The signs are applied for on a day that fits, which is the day of the move."""
    row = world.final.one("SELECT zone_day, status FROM no_stopping_zones WHERE id = ?", [_zone(world)["id"]])
    return row["zone_day"] in _days(world) and row["zone_day"] == _new_day(world) and row["status"] == "applied"


def goal_says_the_day(world) -> bool:
    """Says the day on which the move now stands."""
    return _new_day(world) in _days(world) and world.report.says("new_day", _new_day(world))


def guard_changes_the_day_only(world) -> bool:
    """Changed nothing but the day of this move and of its signs, with what follows from it."""
    for c in world.changes:
        if c["before"] is None or c["after"] is None:
            return False
        if c["table"] == "removals" and c["before"]["id"] == _move(world)["id"]:
            free = ("removal_day", "date_changes")
        elif c["table"] == "no_stopping_zones" and c["before"]["id"] == _zone(world)["id"]:
            free = ("zone_day", "applied_on", "signs_up_on", "status")
            up = datetime.date.fromisoformat(c["after"]["zone_day"]) - datetime.timedelta(days=3)
            if c["after"]["signs_up_on"] != up.isoformat():
                return False
        else:
            return False
        if any(c["before"][k] != c["after"][k] for k in c["before"] if k not in free):
            return False
    return True


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done, with no rule against it."""
    return world.report.outcome in (None, "done") and world.report.reason is None
