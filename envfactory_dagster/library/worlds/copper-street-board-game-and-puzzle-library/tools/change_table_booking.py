from datetime import datetime, timedelta

CHANGE_TABLE_BOOKING_NOTICE_HOURS = 24


def _change_table_booking_booking(env, table_booking_id):
    return env.one(
        """
        SELECT b.id, b.club_evening_id, e.starts_at, b.play_table_id, p.name AS play_table_name, p.seats,
               b.people, b.status, b.booked_at, b.cancelled_at
        FROM table_bookings b
        JOIN club_evenings e ON e.id = b.club_evening_id
        JOIN play_tables p ON p.id = b.play_table_id
        WHERE b.id = :table_booking_id AND b.member_id = :member_id
        """,
        {"table_booking_id": table_booking_id, "member_id": env.user_id},
    )


def change_table_booking(env, *, table_booking_id: int, play_table_id: int = None, people: int = None) -> dict:
    """Changes the table, the number of people or both of the user's own booking."""
    booking = _change_table_booking_booking(env, table_booking_id)
    if booking is None:
        raise env.Error(f"you have no table booking {table_booking_id}")
    if booking["status"] != "booked":
        raise env.Error(f"your table booking {table_booking_id} is {booking['status']} and can no longer be changed")
    latest = datetime.fromisoformat(booking["starts_at"]) - timedelta(hours=CHANGE_TABLE_BOOKING_NOTICE_HOURS)
    if datetime.fromisoformat(env.now) > latest:
        raise env.Error(
            "a table booking can be changed only until 24 hours before the club evening starts, "
            f"and this one starts at {booking['starts_at']}"
        )
    if play_table_id is None and people is None:
        raise env.Error("say which table or how many people the booking should be for")
    new_table_id = booking["play_table_id"] if play_table_id is None else play_table_id
    new_people = booking["people"] if people is None else people
    table = env.one(
        "SELECT id, name, seats FROM play_tables WHERE id = :play_table_id", {"play_table_id": new_table_id}
    )
    if table is None:
        raise env.Error(f"there is no play table {new_table_id}")
    if new_people < 1:
        raise env.Error("a table is booked for at least 1 person")
    if new_people > table["seats"]:
        raise env.Error(f"the table {table['name']} has only {table['seats']} seats, not enough for {new_people}")
    taken = env.one(
        """
        SELECT id FROM table_bookings
        WHERE club_evening_id = :club_evening_id AND play_table_id = :play_table_id AND id <> :table_booking_id
          AND status IN ('booked', 'kept', 'missed')
        """,
        {
            "club_evening_id": booking["club_evening_id"],
            "play_table_id": new_table_id,
            "table_booking_id": table_booking_id,
        },
    )
    if taken is not None:
        raise env.Error(f"the table {table['name']} is already taken on {booking['starts_at'][:10]}")
    env.execute(
        """
        UPDATE table_bookings SET play_table_id = :play_table_id, people = :people
        WHERE id = :table_booking_id AND member_id = :member_id
        """,
        {
            "play_table_id": new_table_id,
            "people": new_people,
            "table_booking_id": table_booking_id,
            "member_id": env.user_id,
        },
    )
    return {"table_booking": dict(_change_table_booking_booking(env, table_booking_id))}
