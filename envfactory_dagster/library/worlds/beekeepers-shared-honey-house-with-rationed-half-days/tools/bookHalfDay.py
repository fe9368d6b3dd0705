def bookHalfDay(env, *, memberNo: str, date: str, half: str, supers: list, honeyType: str, mentorNo: str | None = None) -> dict:
    """Books a free half-day for the user and charges the fee."""
    m = env.one(
        "SELECT id, first_season, hygiene_certified_on FROM members WHERE id = ? AND member_no = ?",
        [env.user_id, memberNo],
    )
    if m is None:
        raise env.Error("the member number " + memberNo + " is not yours")
    day = env.one(
        "SELECT id, held_on, half, status, closes_at FROM half_days WHERE held_on = ? AND half = ?",
        [date, half],
    )
    if day is None:
        raise env.Error("there is no half-day " + date + " " + half + " in the calendar")
    taken = env.one(
        "SELECT id FROM bookings WHERE half_day_id = ? AND status IN ('awaiting_mentor', 'confirmed', 'extracted')",
        [day["id"]],
    )
    if day["status"] != "open" or taken is not None:
        raise env.Error("the half-day " + date + " " + half + " is not free")
    count = supers[0]["count"]
    if m["hygiene_certified_on"] is None:
        raise env.Error("you need a hygiene certificate before you can book")
    mentor_id = None
    if m["first_season"]:
        if mentorNo is None:
            raise env.Error("in your first season you book beside a mentor: name one")
        mentor = env.one(
            "SELECT id FROM members WHERE member_no = ? AND is_mentor = 1 AND id <> ?",
            [mentorNo, env.user_id],
        )
        if mentor is None:
            raise env.Error("there is no mentor " + mentorNo)
        mentor_id = mentor["id"]
    elif mentorNo is not None:
        raise env.Error("a mentor is only for the first season")
    deadline = day["closes_at"][:10] + "T12:00:00"
    if env.now > deadline:
        raise env.Error("booking for " + date + " " + half + " closed at 12:00 on " + deadline[:10])
    year = date[:4]
    first = year + "-05-20"
    last = year + "-08-31"
    if first <= date <= last:
        hives = env.one(
            """SELECT COALESCE(SUM(h.hives), 0) AS n FROM apiaries a JOIN hive_counts h ON h.apiary_id = a.id
               WHERE a.member_id = :user
                 AND h.counted_on = (SELECT MAX(x.counted_on) FROM hive_counts x
                                     WHERE x.apiary_id = a.id AND x.counted_on <= :today)""",
            {"user": env.user_id, "today": env.now[:10]},
        )["n"]
        allowed = min(5, (hives + 11) // 12)
        used = env.one(
            """SELECT COUNT(*) AS n FROM bookings b JOIN half_days d ON d.id = b.half_day_id
               WHERE b.member_id = :user AND b.status NOT IN ('lapsed', 'cancelled')
                 AND d.held_on >= :first AND d.held_on <= :last""",
            {"user": env.user_id, "first": first, "last": last},
        )["n"]
        if used >= allowed:
            raise env.Error("your quota of " + str(allowed) + " half-days from 20 May to 31 August is used up")
    balance = env.one(
        "SELECT COALESCE(SUM(amount_cents), 0) AS n FROM ledger_entries WHERE member_id = ?",
        [env.user_id],
    )["n"]
    if balance < -4000:
        raise env.Error("you owe more than 40.00 EUR, so you cannot book")
    fee = 1400 + 50 * max(0, count - 16)
    number = env.new_id("BK")
    booking_id = env.insert(
        """INSERT INTO bookings (booking_no, member_id, half_day_id, mentor_id, honey_type, hive_type, super_count,
                                 fee_cents, status, booked_at)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
        [number, env.user_id, day["id"], mentor_id, honeyType, supers[0]["hiveType"], count, fee,
         "confirmed" if mentor_id is None else "awaiting_mentor", env.now],
    )
    env.insert(
        "INSERT INTO ledger_entries (member_id, kind, amount_cents, booking_id, entered_at) VALUES (?, 'room_fee', ?, ?, ?)",
        [env.user_id, -fee, booking_id, env.now],
    )
    row = env.one(
        """SELECT b.booking_no, d.held_on, d.half, b.honey_type, b.hive_type, b.super_count, b.fee_cents, b.status,
                  b.booked_at, t.member_no AS mentor_no, t.name AS mentor_name, b.mentor_answer,
                  d.full_refund_until, d.half_refund_until, b.lapsed_at, b.cancelled_at, b.cancel_reason, b.refund_cents
           FROM bookings b
           JOIN half_days d ON d.id = b.half_day_id
           LEFT JOIN members t ON t.id = b.mentor_id
           WHERE b.id = ?""",
        [booking_id],
    )
    return dict(row)
