import math
from datetime import date, timedelta


def _outing(world):
    return world.initial.one(
        "SELECT b.* FROM school_bookings b JOIN schools o ON o.id = b.school_id JOIN screenings s ON s.id = b.screening_id"
        " WHERE o.contact_account_id = 1 AND b.status = 'confirmed' AND substr(s.starts_at, 1, 10) = '2026-03-25'", [])


def _option(world):
    return world.initial.one(
        "SELECT b.* FROM school_bookings b JOIN schools o ON o.id = b.school_id JOIN screenings s ON s.id = b.screening_id"
        " WHERE o.contact_account_id = 1 AND b.status = 'option' AND substr(s.starts_at, 1, 10) = '2026-04-23'", [])


def _charged(world):
    return max(66, 40, math.ceil(_outing(world)["pupils_announced"] * 9 / 10))


def _next_screening(world):
    """The screening of the outing that follows, by what the headcount costs."""
    day = "2026-05-05" if _charged(world) > 66 else "2026-04-23"
    return world.initial.one("SELECT id, starts_at FROM screenings WHERE kind = 'school' AND status = 'scheduled' AND substr(starts_at, 1, 10) = ?", [day])


def _headcount_day(text):
    day = date.fromisoformat(text[:10])
    left = 5
    while left > 0:
        day -= timedelta(days=1)
        if day.weekday() < 5 and day.isoformat() not in ("2026-04-06", "2026-05-01"):
            left -= 1
    return day.isoformat()


def goal_says_cost_of_outing(world) -> bool:
    """Says what the outing on 25 March costs."""
    paying = max(0, _outing(world)["teachers"] - math.ceil(66 / 15))
    return world.report.says("cost_of_outing", _charged(world) * 500 + paying * 500)


def goal_says_absent_pupils_paid(world) -> bool:
    """Says for how many absent pupils the school pays."""
    return world.report.says("absent_pupils_paid", _charged(world) - 66)


def goal_says_next_outing_day(world) -> bool:
    """Says the day of the next outing."""
    return world.report.says("next_outing_day", _next_screening(world)["starts_at"][:10])


def goal_says_headcount_day(world) -> bool:
    """Says the last day for the next headcount."""
    return world.report.says("headcount_day", _headcount_day(_next_screening(world)["starts_at"]))


def goal_headcount_is_set(world) -> bool:
    """The final count of 25 March is 66."""
    row = world.final.one("SELECT pupils_final, status FROM school_bookings WHERE id = ?", [_outing(world)["id"]])
    return row["pupils_final"] == 66 and row["status"] == "confirmed"


def goal_old_option_is_settled(world) -> bool:
    """The option of 23 April is cancelled for nothing, or firm if nobody absent is paid for."""
    row = world.final.one("SELECT status, cancellation_fee_cents FROM school_bookings WHERE id = ?", [_option(world)["id"]])
    if _charged(world) > 66:
        return row["status"] == "cancelled" and row["cancellation_fee_cents"] == 0
    return row["status"] == "confirmed"


def goal_next_outing_is_held(world) -> bool:
    """The school holds the next outing with the same pupils, teachers and youngest age."""
    old = _option(world)
    row = world.final.one(
        "SELECT * FROM school_bookings WHERE school_id = ? AND screening_id = ? AND status = ?",
        [old["school_id"], _next_screening(world)["id"], "option" if _charged(world) > 66 else "confirmed"])
    return row is not None and all(row[f] == old[f] for f in ("pupils_announced", "teachers", "youngest_age"))


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_only_these_bookings(world) -> bool:
    """Changed only the count of 25 March and the option of 23 April, and added at most one option for the next outing."""
    outing = _outing(world)
    option = _option(world)
    new = [c for c in world.changes if c["before"] is None]
    if len(new) > (1 if _charged(world) > 66 else 0):
        return False
    for c in world.changes:
        if c["table"] != "school_bookings" or c["after"] is None:
            return False
        if c["before"] is None:
            if c["after"]["school_id"] != option["school_id"] or c["after"]["screening_id"] != _next_screening(world)["id"] or c["after"]["status"] != "option":
                return False
            continue
        columns = ("pupils_final",) if c["before"]["id"] == outing["id"] else ("status", "cancelled_at", "cancellation_fee_cents") if c["before"]["id"] == option["id"] else ()
        if any(c["before"][f] != c["after"][f] for f in c["before"] if f not in columns):
            return False
    return True
