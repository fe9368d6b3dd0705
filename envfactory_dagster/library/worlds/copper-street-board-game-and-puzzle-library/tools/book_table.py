def _book_table_booking(env, table_booking_id):
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


def book_table(env, *, club_evening_id: int, play_table_id: int, people: int) -> dict:
    """Books a free play table for the user at a planned club evening."""
    evening = env.one(
        "SELECT id, starts_at, status FROM club_evenings WHERE id = :club_evening_id",
        {"club_evening_id": club_evening_id},
    )
    if evening is None:
        raise env.Error(f"there is no club evening {club_evening_id}")
    table = env.one(
        "SELECT id, name, seats FROM play_tables WHERE id = :play_table_id", {"play_table_id": play_table_id}
    )
    if table is None:
        raise env.Error(f"there is no play table {play_table_id}")
    if evening["status"] != "planned":
        raise env.Error(f"the club evening of {evening['starts_at'][:10]} is {evening['status']}, not planned")
    if evening["starts_at"] <= env.now:
        raise env.Error(f"the club evening of {evening['starts_at'][:10]} has already started")
    if people < 1:
        raise env.Error("a table is booked for at least 1 person")
    if people > table["seats"]:
        raise env.Error(f"the table {table['name']} has only {table['seats']} seats, not enough for {people}")
    taken = env.one(
        """
        SELECT id FROM table_bookings
        WHERE club_evening_id = :club_evening_id AND play_table_id = :play_table_id
          AND status IN ('booked', 'kept', 'missed')
        """,
        {"club_evening_id": club_evening_id, "play_table_id": play_table_id},
    )
    if taken is not None:
        raise env.Error(f"the table {table['name']} is already taken on {evening['starts_at'][:10]}")
    booking_id = env.insert(
        """
        INSERT INTO table_bookings (member_id, club_evening_id, play_table_id, people, status, booked_at, cancelled_at)
        VALUES (:member_id, :club_evening_id, :play_table_id, :people, 'booked', :now, NULL)
        """,
        {
            "member_id": env.user_id,
            "club_evening_id": club_evening_id,
            "play_table_id": play_table_id,
            "people": people,
            "now": env.now,
        },
    )
    return {"table_booking": dict(_book_table_booking(env, booking_id))}
