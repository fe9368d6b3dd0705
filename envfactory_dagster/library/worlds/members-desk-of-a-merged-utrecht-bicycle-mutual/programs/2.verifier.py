import datetime

FIRST, LAST = "2026-08-24", "2026-10-05"


def _days(starts_on, ends_on):
    day, last = datetime.date.fromisoformat(starts_on), datetime.date.fromisoformat(ends_on)
    days = set()
    while day <= last:
        if day.year == 2026:
            days.add(day)
        day += datetime.timedelta(days=1)
    return days


def _own_risk(world, first_sold_on):
    sold, loss = datetime.date.fromisoformat(first_sold_on), datetime.date.fromisoformat(FIRST)
    age = loss.year - sold.year - ((loss.month, loss.day) < (sold.month, sold.day))
    if age < 3:
        return 3500
    if age < 5:
        return 6000
    fund = world.initial.one("SELECT old_fund FROM members WHERE id = 1")["old_fund"]
    homes = world.initial.one(
        "SELECT count(*) AS n FROM addresses WHERE member_id = 1 AND kind = 'home' AND starts_on <= ?", [FIRST]
    )["n"]
    return 5000 if fund == "lombok" and homes <= 1 else 8500


def _best(world):
    bicycles = world.initial.query(
        "SELECT b.id, b.make, b.model, b.first_sold_on FROM bicycles b JOIN policies p ON p.id = b.policy_id"
        " WHERE p.member_id = 1 AND b.model IN ('Chamonix', 'E-Nova', 'Classic')"
        " AND EXISTS (SELECT 1 FROM covers c WHERE c.bicycle_id = b.id AND c.starts_on <= ?"
        " AND (c.ends_on IS NULL OR c.ends_on >= ?))"
        " ORDER BY CASE b.model WHEN 'Chamonix' THEN 1 WHEN 'E-Nova' THEN 2 ELSE 3 END",
        [FIRST, FIRST],
    )
    for bicycle in bicycles:
        days = _days(FIRST, LAST)
        for notice in world.initial.query(
            "SELECT starts_on, ends_on FROM travel_notices WHERE bicycle_id = ? AND area = 'elsewhere'"
            " AND withdrawn_at IS NULL ORDER BY id",
            [bicycle["id"]],
        ):
            days |= _days(notice["starts_on"], notice["ends_on"])
        if len(days) <= 60:
            name = bicycle["make"] + " " + bicycle["model"]
            return _own_risk(world, bicycle["first_sold_on"]), bicycle["id"], name, 60 - len(days)
    return None


def goal_notice_is_given_for_the_right_bicycle(world) -> bool:
    """Gave notice of the whole stretch for the bicycle first in the person's order that has the days."""
    rows = world.final.query(
        "SELECT countries, area, withdrawn_at FROM travel_notices WHERE bicycle_id = ? AND starts_on = ?"
        " AND ends_on = ? ORDER BY id",
        [_best(world)[1], FIRST, LAST],
    )
    return (
        len(rows) == 1
        and rows[0]["area"] == "elsewhere"
        and rows[0]["withdrawn_at"] is None
        and "italy" in rows[0]["countries"].lower()
        and "switzerland" in rows[0]["countries"].lower()
    )


def goal_says_which_bicycle(world) -> bool:
    """Says which bicycle it is."""
    return world.report.says("bicycle", _best(world)[2])


def goal_says_own_risk(world) -> bool:
    """Says the own risk on 24 August."""
    return world.report.says("own_risk", _best(world)[0])


def goal_says_days_left(world) -> bool:
    """Says how many days abroad are left in 2026."""
    return world.report.says("days_left", _best(world)[3])


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_adds_one_travel_notice_only(world) -> bool:
    """Changed nothing but one new travel notice."""
    return len(world.changes) <= 1 and all(
        c["table"] == "travel_notices" and c["before"] is None for c in world.changes
    )
