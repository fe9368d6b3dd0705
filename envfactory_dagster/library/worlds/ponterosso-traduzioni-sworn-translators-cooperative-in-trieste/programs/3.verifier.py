import datetime


def _wanted(world):
    days = []
    for first, last in (("2026-11-23", "2026-11-27"), ("2026-12-07", "2026-12-11")):
        day = datetime.date.fromisoformat(first)
        while day.isoformat() <= last:
            text = day.isoformat()
            holiday = world.initial.one("SELECT id FROM festivi WHERE day = ?", (text,))
            known = world.initial.one("SELECT id FROM assenze WHERE socio_id = 1 AND day = ?", (text,))
            if day.weekday() < 5 and holiday is None and known is None:
                days.append(text)
            day += datetime.timedelta(days=1)
    return days


def goal_enters_every_missing_day(world) -> bool:
    """Entered every working day of both stretches that was not entered yet."""
    return all(
        world.final.one("SELECT id FROM assenze WHERE socio_id = 1 AND day = ?", (day,)) is not None
        for day in _wanted(world)
    )


def goal_says_the_days_entered(world) -> bool:
    """Says which days have been entered."""
    return world.report.says("days_entered", _wanted(world))


def goal_says_the_mornings_missed(world) -> bool:
    """Says which open court mornings lie in the two stretches."""
    rows = world.initial.query(
        "SELECT day FROM mattine WHERE status = 'open' AND (day BETWEEN '2026-11-23' AND '2026-11-27'"
        " OR day BETWEEN '2026-12-07' AND '2026-12-11') ORDER BY day"
    )
    return world.report.says("mornings_missed", [row["day"] for row in rows])


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_nothing_but_these_days(world) -> bool:
    """Changed nothing but new days away of the user in the two stretches."""
    wanted = set(_wanted(world))
    return all(
        change["table"] == "assenze"
        and change["before"] is None
        and change["after"] is not None
        and change["after"]["socio_id"] == 1
        and change["after"]["day"] in wanted
        for change in world.changes
    )
