import datetime
import re


def _days(row):
    day, last = datetime.date.fromisoformat(row["starts_on"]), datetime.date.fromisoformat(row["ends_on"])
    days = set()
    while day <= last:
        if day.year == 2026:
            days.add(day)
        day += datetime.timedelta(days=1)
    return days


def _abroad(world, model):
    return world.initial.query(
        "SELECT t.starts_on, t.ends_on, t.countries FROM travel_notices t JOIN bicycles b ON b.id = t.bicycle_id"
        " JOIN policies p ON p.id = b.policy_id WHERE p.member_id = 1 AND b.model = ? AND t.area = 'elsewhere'"
        " AND t.withdrawn_at IS NULL ORDER BY t.id",
        [model],
    )


def _journey(world):
    return next(
        row for row in _abroad(world, "Chamonix") if "France" in row["countries"] and row["starts_on"] >= "2026-06-15"
    )


def _choice(world):
    """Bicycle id, name, day it is expected back and days left of the bicycle it comes to, or None."""
    for make, model in (("Babboe", "Curve-E"), ("Koga", "E-Nova")):
        repair = world.initial.one(
            "SELECT b.id, cl.repair_expected_on FROM claims cl JOIN covers co ON co.id = cl.cover_id"
            " JOIN bicycles b ON b.id = co.bicycle_id WHERE cl.member_id = 1 AND b.make = ? AND b.model = ?"
            " AND cl.brought_in_on IS NOT NULL AND cl.repair_ready_on IS NULL AND cl.repair_expected_on <= ?",
            [make, model, "2026-07-01"],
        )
        if repair is None:
            continue
        days = _days(_journey(world))
        for row in _abroad(world, model):
            days |= _days(row)
        if len(days) <= 60:
            return repair["id"], make + " " + model, repair["repair_expected_on"], 60 - len(days)
    return None


def goal_notice_is_given_for_the_right_bicycle(world) -> bool:
    """Gave notice for France on the days of the Gazelle, for the bicycle that is back in time."""
    choice, journey = _choice(world), _journey(world)
    rows = world.final.query(
        "SELECT countries, area, withdrawn_at FROM travel_notices WHERE bicycle_id = ? AND starts_on = ?"
        " AND ends_on = ? ORDER BY id",
        [choice[0], journey["starts_on"], journey["ends_on"]],
    )
    return (
        len(rows) == 1
        and rows[0]["area"] == "elsewhere"
        and rows[0]["withdrawn_at"] is None
        and re.sub("[^a-z]+", " ", rows[0]["countries"].lower()).strip() == "france"
    )


def goal_says_which_bicycle(world) -> bool:
    """Says which bicycle it is."""
    return world.report.says("bicycle", _choice(world)[1])


def goal_says_when_it_is_expected_back(world) -> bool:
    """Says on what day the shop expects to have it ready."""
    return world.report.says("expected_back", _choice(world)[2])


def goal_says_days_left(world) -> bool:
    """Says how many days abroad it has left this year."""
    return world.report.says("days_left", _choice(world)[3])


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_adds_one_travel_notice_only(world) -> bool:
    """Changed nothing but one new travel notice."""
    return len(world.changes) <= 1 and all(
        c["table"] == "travel_notices" and c["before"] is None for c in world.changes
    )
