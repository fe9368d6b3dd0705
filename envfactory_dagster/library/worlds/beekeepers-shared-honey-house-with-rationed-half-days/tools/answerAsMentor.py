def answerAsMentor(env, *, bookingId: str, answer: str) -> dict:
    """Accepts or declines a booking that names the user as mentor."""
    b = env.one(
        """SELECT b.id, b.status, b.fee_cents, d.closes_at, d.full_refund_until
           FROM bookings b JOIN half_days d ON d.id = b.half_day_id
           WHERE b.booking_no = ? AND b.mentor_id = ?""",
        [bookingId, env.user_id],
    )
    if b is None:
        raise env.Error("there is no booking " + bookingId + " that names you as mentor")
    if b["status"] != "awaiting_mentor":
        raise env.Error("the booking " + bookingId + " is " + b["status"] + " and awaits no answer")
    if env.now > b["closes_at"]:
        raise env.Error("the time to answer for " + bookingId + " ended at " + b["closes_at"])
    if answer == "accept":
        env.execute(
            "UPDATE bookings SET status = 'confirmed', mentor_answer = 'accept', answered_at = ? WHERE id = ?",
            [env.now, b["id"]],
        )
    else:
        refund = b["fee_cents"] if env.now <= b["full_refund_until"] else b["fee_cents"] // 2
        env.execute(
            """UPDATE bookings SET status = 'lapsed', mentor_answer = 'decline', answered_at = :now, lapsed_at = :now,
                                   refund_cents = :refund
               WHERE id = :id""",
            {"now": env.now, "refund": refund, "id": b["id"]},
        )
    row = env.one(
        """SELECT b.booking_no, m.name AS member_name, m.village, d.held_on, d.half, b.honey_type, b.hive_type,
                  b.super_count, b.status, b.booked_at, d.closes_at, b.mentor_answer, b.answered_at
           FROM bookings b
           JOIN half_days d ON d.id = b.half_day_id
           JOIN members m ON m.id = b.member_id
           WHERE b.id = ?""",
        [b["id"]],
    )
    return dict(row)
