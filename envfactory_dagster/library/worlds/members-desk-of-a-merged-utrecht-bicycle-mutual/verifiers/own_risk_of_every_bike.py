import datetime

TODAY, END = datetime.date(2026, 4, 21), datetime.date(2026, 12, 31)


def _bicycles(world):
    """The bicycles on the member's policy with a cover that runs today."""
    return world.initial.query(
        "SELECT b.make || ' ' || b.model AS name, b.first_sold_on FROM bicycles b"
        " JOIN policies p ON p.id = b.policy_id WHERE p.member_id = 1"
        " AND EXISTS (SELECT 1 FROM covers c WHERE c.bicycle_id = b.id AND c.starts_on <= ?"
        " AND (c.ends_on IS NULL OR c.ends_on >= ?)) ORDER BY b.id",
        [TODAY.isoformat(), TODAY.isoformat()],
    )


def _own_risk(world, first_sold_on, day):
    sold = datetime.date.fromisoformat(first_sold_on)
    age = day.year - sold.year - ((day.month, day.day) < (sold.month, sold.day))
    if age < 3:
        return 35
    if age < 5:
        return 60
    fund = world.initial.one("SELECT old_fund FROM members WHERE id = 1")["old_fund"]
    homes = world.initial.one(
        "SELECT count(*) AS n FROM addresses WHERE member_id = 1 AND kind = 'home' AND starts_on <= ?",
        [day.isoformat()],
    )["n"]
    return 50 if fund == "lombok" and homes <= 1 else 85


def _at(world, euros):
    return [b["name"] for b in _bicycles(world) if _own_risk(world, b["first_sold_on"], TODAY) == euros]


def _changes(world):
    """Day, name and direction of every change of an own risk before the end of the year."""
    found = []
    for bicycle in _bicycles(world):
        sold = datetime.date.fromisoformat(bicycle["first_sold_on"])
        for years in (3, 5):
            day = datetime.date(sold.year + years, sold.month, sold.day)
            if TODAY < day <= END:
                before = _own_risk(world, bicycle["first_sold_on"], day - datetime.timedelta(days=1))
                after = _own_risk(world, bicycle["first_sold_on"], day)
                found.append((day.isoformat(), bicycle["name"], "more" if after > before else "less"))
    return sorted(found)


def goal_says_which_are_at_35(world) -> bool:
    """Says for which bicycles the own risk is 35 euros today."""
    return world.report.says("at_35", _at(world, 35))


def goal_says_which_are_at_50(world) -> bool:
    """Says for which bicycles the own risk is 50 euros today."""
    return world.report.says("at_50", _at(world, 50))


def goal_says_which_are_at_60(world) -> bool:
    """Says for which bicycles the own risk is 60 euros today."""
    return world.report.says("at_60", _at(world, 60))


def goal_says_that_none_is_at_85(world) -> bool:
    """Says for which bicycles the own risk is 85 euros today: a list without any."""
    return world.report.says("at_85", _at(world, 85))


def goal_says_which_change(world) -> bool:
    """Says for which bicycles the own risk changes before the end of the year."""
    return world.report.says("changing", [c[1] for c in _changes(world)])


def goal_says_on_what_days(world) -> bool:
    """Says on what days it changes."""
    return world.report.says("change_days", [c[0] for c in _changes(world)])


def goal_says_more_or_less(world) -> bool:
    """Says whether it becomes more or less."""
    return world.report.says("more_or_less", [c[2] for c in _changes(world)])


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_nothing(world) -> bool:
    """Changed nothing."""
    return world.changes == []
