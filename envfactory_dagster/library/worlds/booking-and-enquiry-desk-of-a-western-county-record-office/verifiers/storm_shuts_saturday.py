import datetime


def _siobhan(world):
    return world.initial.one("SELECT id FROM readers WHERE surname = 'Lally' AND town = 'Oughterard'", [])["id"]


def _next_saturday(world):
    """The first Saturday after 3 October on which an adjustable table is free."""
    day = datetime.date(2026, 10, 10)
    while True:
        row = world.initial.one(
            "SELECT (SELECT count(*) FROM seats WHERE seat_kind = 'adjustable_table') - (SELECT count(*) FROM seat_bookings b"
            " JOIN seats s ON s.id = b.seat_id WHERE s.seat_kind = 'adjustable_table' AND b.day = ? AND b.status IN ('booked', 'attended')) AS free,"
            " (SELECT count(*) FROM closures WHERE day = ?) AS shut",
            [day.isoformat(), day.isoformat()],
        )
        if row["free"] > 0 and row["shut"] == 0:
            return day.isoformat()
        day += datetime.timedelta(days=7)


def goal_enters_the_closure(world) -> bool:
    """Shut the room for the morning of Saturday 3 October because of the red warning of the severe weather team."""
    row = world.final.one(
        "SELECT count(*) AS n FROM closures WHERE day = '2026-10-03' AND part = 'saturday_morning' AND kind = 'unplanned'"
        " AND reason = 'red_weather_warning' AND authorised_by = 'severe_weather_team'",
        [],
    )
    return row["n"] == 1


def goal_her_booking_no_longer_stands(world) -> bool:
    """Her booking of 3 October is displaced by the closure or taken off because of the weather."""
    rows = world.final.query("SELECT status, cancel_cause FROM seat_bookings WHERE reader_id = ? AND day = '2026-10-03' ORDER BY id", [_siobhan(world)])
    return len(rows) == 1 and (
        rows[0]["status"] == "closed_out" or (rows[0]["status"] == "cancelled" and rows[0]["cancel_cause"] == "weather_or_road")
    )


def goal_books_the_next_free_saturday(world) -> bool:
    """She has the adjustable table on the next Saturday morning on which it is free."""
    new = [c["after"] for c in world.changes if c["table"] == "seat_bookings" and c["before"] is None]
    if len(new) != 1:
        return False
    row = world.final.one(
        "SELECT b.reader_id, b.day, b.status, o.sitting, s.seat_kind FROM seat_bookings b JOIN opening_sittings o ON o.id = b.opening_sitting_id"
        " JOIN seats s ON s.id = b.seat_id WHERE b.id = ?",
        [new[0]["id"]],
    )
    return (
        row["reader_id"] == _siobhan(world)
        and row["day"] == _next_saturday(world)
        and row["status"] == "booked"
        and row["sitting"] == "saturday_morning"
        and row["seat_kind"] == "adjustable_table"
    )


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_touches_only_that_saturday_and_her_new_seat(world) -> bool:
    """Touched nothing but one closure, the bookings it displaces, holds lengthened by a day and one new booking of hers."""
    siobhan = _siobhan(world)
    for change in world.changes:
        table, before, after = change["table"], change["before"], change["after"]
        if after is None:
            return False
        if table == "closures":
            if before is not None or after["day"] != "2026-10-03":
                return False
        elif table == "seat_bookings" and before is None:
            if after["reader_id"] != siobhan:
                return False
        elif table == "seat_bookings":
            allowed = ("status", "closure_id", "cancelled_at", "cancel_cause") if before["reader_id"] == siobhan else ("status", "closure_id")
            if before["day"] != "2026-10-03" or before["status"] != "booked" or after["status"] not in ("closed_out", "cancelled"):
                return False
            if any(before[c] != after[c] for c in before if c not in allowed):
                return False
        elif table == "piece_requests":
            if before is None or before["status"] != "on_hold" or before["held_until"] < "2026-10-03" or after["held_until"] < before["held_until"]:
                return False
            if any(before[c] != after[c] for c in before if c != "held_until"):
                return False
        else:
            return False
    new = [c for c in world.changes if c["before"] is None]
    return sum(1 for c in new if c["table"] == "closures") <= 1 and sum(1 for c in new if c["table"] == "seat_bookings") <= 1
