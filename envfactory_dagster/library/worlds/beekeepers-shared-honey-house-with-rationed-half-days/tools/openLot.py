def openLot(env, *, bookingId: str, honeyType: str, netKg: float, apiaryIds: list, untreatedDeclared: bool) -> dict:
    """Opens a lot of the user at the end of an extraction session."""
    b = env.one(
        """SELECT b.id, b.status, d.held_on, d.half
           FROM bookings b JOIN half_days d ON d.id = b.half_day_id
           WHERE b.booking_no = ? AND b.member_id = ?""",
        [bookingId, env.user_id],
    )
    if b is None:
        raise env.Error("you have no booking " + bookingId)
    if b["status"] not in ("confirmed", "extracted"):
        raise env.Error("the booking " + bookingId + " is " + b["status"] + ", so nothing was extracted")
    begin = b["held_on"] + ("T07:00:00" if b["half"] == "AM" else "T14:00:00")
    if env.now < begin:
        raise env.Error("the session of " + bookingId + " has not begun")
    frozen = False
    for number in apiaryIds:
        a = env.one(
            "SELECT id FROM apiaries WHERE register_no = ? AND member_id = ?",
            [number, env.user_id],
        )
        if a is None:
            raise env.Error("you have no apiary " + number)
        zone = env.one(
            """SELECT q.id FROM zone_apiaries z JOIN quarantine_zones q ON q.id = z.quarantine_zone_id
               WHERE z.apiary_id = ? AND q.status = 'active' AND q.disease = 'american_foulbrood'
               ORDER BY q.id""",
            [a["id"]],
        )
        if zone is not None:
            frozen = True
    lot_id = env.insert(
        """INSERT INTO lots (lot_code, member_id, booking_id, honey_type, net_kg, extracted_on, untreated_declared, status)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?)""",
        [env.new_id("LOT"), env.user_id, b["id"], honeyType, float(netKg), b["held_on"],
         1 if untreatedDeclared else 0, "frozen" if frozen else "open"],
    )
    if b["status"] == "confirmed":
        env.execute("UPDATE bookings SET status = 'extracted' WHERE id = ?", [b["id"]])
    row = env.one(
        """SELECT l.lot_code, b.booking_no, l.honey_type, l.net_kg, l.extracted_on, l.untreated_declared, l.status,
                  (SELECT COUNT(*) FROM moisture_readings r WHERE r.lot_id = l.id) AS readings,
                  (SELECT ROUND(AVG(r.percent), 2) FROM moisture_readings r WHERE r.lot_id = l.id) AS mean_percent,
                  (SELECT ROUND(COALESCE(SUM(p.kg), 0.0), 2) FROM pours p WHERE p.lot_id = l.id) AS poured_kg
           FROM lots l JOIN bookings b ON b.id = l.booking_id
           WHERE l.id = ?""",
        [lot_id],
    )
    return dict(row)
