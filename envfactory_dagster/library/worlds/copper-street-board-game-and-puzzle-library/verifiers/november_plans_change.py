def goal_gave_back_the_hosting_turn(world) -> bool:
    """The user's turn on 18 November 2026 is given back, so that they no longer host that evening."""
    turn = world.initial.one(
        "SELECT h.id FROM hosting_turns h JOIN club_evenings e ON e.id = h.club_evening_id"
        " WHERE h.member_id = 1 AND h.status = 'signed_up' AND substr(e.starts_at, 1, 10) = ?",
        ["2026-11-18"],
    )
    row = world.final.one("SELECT status FROM hosting_turns WHERE id = ?", [turn["id"]])
    return row["status"] == "given_back"


def goal_has_the_booking_for_six_at_a_big_enough_table(world) -> bool:
    """The user's booking for 20 November 2026 is for six people, at a table with at least six seats."""
    booking = world.initial.one(
        "SELECT b.id, b.club_evening_id FROM table_bookings b JOIN club_evenings e ON e.id = b.club_evening_id"
        " WHERE b.member_id = 1 AND b.status = 'booked' AND substr(e.starts_at, 1, 10) = ?",
        ["2026-11-20"],
    )
    row = world.final.one(
        "SELECT b.people, b.status, b.club_evening_id, t.seats FROM table_bookings b"
        " JOIN play_tables t ON t.id = b.play_table_id WHERE b.id = ?",
        [booking["id"]],
    )
    return (
        row["people"] == 6
        and row["seats"] >= 6
        and row["status"] == "booked"
        and row["club_evening_id"] == booking["club_evening_id"]
    )


def goal_cancelled_the_kite_festival_reservation(world) -> bool:
    """The user's hold on Kite Festival that was waiting is cancelled."""
    hold = world.initial.one(
        "SELECT h.id FROM holds h JOIN titles t ON t.id = h.title_id"
        " WHERE h.member_id = 1 AND h.status = 'waiting' AND t.name = ?",
        ["Kite Festival"],
    )
    row = world.final.one("SELECT status FROM holds WHERE id = ?", [hold["id"]])
    return row["status"] == "cancelled"


def guard_changes_nothing_else(world) -> bool:
    """Touched no row but that turn, that booking's table and people, and that hold, and no other column of them."""
    turn = world.initial.one(
        "SELECT h.id FROM hosting_turns h JOIN club_evenings e ON e.id = h.club_evening_id"
        " WHERE h.member_id = 1 AND h.status = 'signed_up' AND substr(e.starts_at, 1, 10) = ?",
        ["2026-11-18"],
    )
    booking = world.initial.one(
        "SELECT b.id FROM table_bookings b JOIN club_evenings e ON e.id = b.club_evening_id"
        " WHERE b.member_id = 1 AND b.status = 'booked' AND substr(e.starts_at, 1, 10) = ?",
        ["2026-11-20"],
    )
    hold = world.initial.one(
        "SELECT h.id FROM holds h JOIN titles t ON t.id = h.title_id"
        " WHERE h.member_id = 1 AND h.status = 'waiting' AND t.name = ?",
        ["Kite Festival"],
    )
    for change in world.changes:
        before, after = change["before"], change["after"]
        if before is None or after is None:
            return False
        if change["table"] == "hosting_turns":
            right = before["id"] == turn["id"] and after == {
                **before, "status": "given_back", "given_back_at": after["given_back_at"]
            }
        elif change["table"] == "table_bookings":
            right = before["id"] == booking["id"] and after == {
                **before, "play_table_id": after["play_table_id"], "people": after["people"]
            }
        elif change["table"] == "holds":
            right = before["id"] == hold["id"] and after == {
                **before, "status": "cancelled", "cancelled_at": after["cancelled_at"]
            }
        else:
            right = False
        if not right:
            return False
    return True


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done") and world.report.reason is None
