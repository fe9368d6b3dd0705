def getLot(env, *, lotCode: str) -> dict:
    """Shows one of the user's own lots with readings and pours."""
    l = env.one(
        """SELECT l.id, l.lot_code, b.booking_no, l.honey_type, l.net_kg, l.extracted_on, l.untreated_declared, l.status
           FROM lots l JOIN bookings b ON b.id = l.booking_id
           WHERE l.lot_code = ? AND l.member_id = ?""",
        [lotCode, env.user_id],
    )
    if l is None:
        raise env.Error("you have no lot " + lotCode)
    readings = env.query(
        """SELECT reading_no, percent, honey_temp_c, refractometer, read_at FROM moisture_readings
           WHERE lot_id = ? ORDER BY reading_no""",
        [l["id"]],
    )
    pours = env.query(
        """SELECT t.tank_no, p.kg, p.share_kg, p.poured_at FROM pours p JOIN tanks t ON t.id = p.tank_id
           WHERE p.lot_id = ? ORDER BY p.poured_at, p.id""",
        [l["id"]],
    )
    values = [r["percent"] for r in readings]
    return {
        "lot_code": l["lot_code"],
        "booking_no": l["booking_no"],
        "honey_type": l["honey_type"],
        "net_kg": l["net_kg"],
        "extracted_on": l["extracted_on"],
        "untreated_declared": l["untreated_declared"],
        "status": l["status"],
        "mean_percent": round(sum(values) / len(values), 2) if values else None,
        "difference_percent": round(max(values) - min(values), 2) if len(values) == 2 else None,
        "readings": [dict(r) for r in readings],
        "pours": [dict(p) for p in pours],
    }
