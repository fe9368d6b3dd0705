def cancelBooking(env, *, bookingId: str, reason: str) -> dict:
    """Cancels one of the user's bookings and credits the refund."""
    b = env.one(
        """SELECT b.id, b.status, b.fee_cents, b.booked_at, d.held_on, d.half, d.full_refund_until, d.half_refund_until
           FROM bookings b JOIN half_days d ON d.id = b.half_day_id
           WHERE b.booking_no = ? AND b.member_id = ?""",
        [bookingId, env.user_id],
    )
    if b is None:
        raise env.Error("you have no booking " + bookingId)
    if reason != "member":
        raise env.Error("only the house gives the reason " + reason + "; cancel for the member")
    if b["status"] not in ("awaiting_mentor", "confirmed"):
        raise env.Error("the booking " + bookingId + " is " + b["status"] + " and cannot be cancelled")
    begin = b["held_on"] + ("T07:00:00" if b["half"] == "AM" else "T14:00:00")
    if env.now >= begin:
        raise env.Error("the half-day of " + bookingId + " has begun")
    if env.now <= b["full_refund_until"]:
        refund = b["fee_cents"]
    elif env.now <= b["half_refund_until"]:
        refund = b["fee_cents"] // 2
    else:
        refund = 0
    env.execute(
        "UPDATE bookings SET status = 'cancelled', cancelled_at = ?, cancel_reason = 'member', refund_cents = ? WHERE id = ?",
        [env.now, refund, b["id"]],
    )
    if refund > 0:
        env.insert(
            "INSERT INTO ledger_entries (member_id, kind, amount_cents, booking_id, entered_at) VALUES (?, 'room_refund', ?, ?, ?)",
            [env.user_id, refund, b["id"], env.now],
        )
    row = env.one(
        """SELECT b.booking_no, d.held_on, d.half, b.honey_type, b.hive_type, b.super_count, b.fee_cents, b.status,
                  b.booked_at, t.member_no AS mentor_no, t.name AS mentor_name, b.mentor_answer,
                  d.full_refund_until, d.half_refund_until, b.lapsed_at, b.cancelled_at, b.cancel_reason, b.refund_cents
           FROM bookings b
           JOIN half_days d ON d.id = b.half_day_id
           LEFT JOIN members t ON t.id = b.mentor_id
           WHERE b.id = ?""",
        [b["id"]],
    )
    return dict(row)
