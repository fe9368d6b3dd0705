import datetime
import re

BOOKING = "BK-00041"
STEINKAR = 4


def _dinners(database):
    """Portions by meal and evening, of what is ordered and not cancelled."""
    rows = database.query(
        """
        SELECT o.meal_id, o.served_on, sum(o.portions) AS portions
        FROM meal_orders o JOIN bookings b ON b.id = o.booking_id
        WHERE b.code = ? AND o.status = 'ordered' GROUP BY o.meal_id, o.served_on
        """,
        [BOOKING],
    )
    return {(row["meal_id"], row["served_on"]): row["portions"] for row in rows}


def _booking_id(world):
    return world.initial.one("SELECT id FROM bookings WHERE code = ?", [BOOKING])["id"]


def _changed(world, table):
    return [change for change in world.changes if change["table"] == table]


def _differs_only_in(change, columns):
    before, after = change["before"], change["after"]
    return before is not None and after is not None and all(before[c] == after[c] for c in before if c not in columns)


def goal_the_stay_begins_a_week_later(world) -> bool:
    """Has the same two nights from 23 July on."""
    row = world.final.one("SELECT check_in, check_out, status FROM bookings WHERE code = ?", [BOOKING])
    return (row["check_in"], row["check_out"], row["status"]) == ("2026-07-23", "2026-07-25", "confirmed")


def goal_the_same_dinners_are_ordered(world) -> bool:
    """Has the dinners it had, each a week later, and no others."""
    week = datetime.timedelta(days=7)
    wanted = {
        (meal, (datetime.date.fromisoformat(day) + week).isoformat()): portions
        for (meal, day), portions in _dinners(world.initial).items()
    }
    return _dinners(world.final) == wanted


def goal_the_warden_knows(world) -> bool:
    """Has written to the warden of the Steinkar Hut about the 23rd."""
    messages = [change["after"] for change in _changed(world, "warden_messages")]
    return any(
        message["hut_id"] == STEINKAR
        and message["direction"] == "to_warden"
        and re.search(r"\b0?23(rd)?\b|twenty-third", f"{message['subject']} {message['body']}", re.IGNORECASE)
        for message in messages
    )


def guard_touches_only_this_stay(world) -> bool:
    """Changed no booking but the days of this one, and neither ordered, cancelled nor wrote anything else."""
    booking_id = _booking_id(world)
    bookings, orders = _changed(world, "bookings"), _changed(world, "meal_orders")
    messages = _changed(world, "warden_messages")
    return (
        {change["table"] for change in world.changes} <= {"bookings", "meal_orders", "charges", "warden_messages"}
        and all(
            change["key"][0] == booking_id and _differs_only_in(change, {"check_in", "check_out"})
            for change in bookings
        )
        and all(
            change["after"]["booking_id"] == booking_id
            and (change["before"] is None or _differs_only_in(change, {"status"}))
            for change in orders
        )
        and len(messages) <= 1
        and all(message["before"] is None and message["after"]["hut_id"] == STEINKAR for message in messages)
    )


def guard_bills_only_the_dinners(world) -> bool:
    """Dropped the charges of cancelled dinners, added those of new ones, and paid nothing."""
    booking_id = _booking_id(world)
    return all(
        change["after"]["booking_id"] == booking_id
        and change["after"]["kind"] == "meal"
        and change["after"]["status"] == ("void" if change["before"] else "open")
        for change in _changed(world, "charges")
    )


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")
