def addMoistureReading(env, *, lotCode: str, percent: float, honeyTempC: float, refractometer: str) -> dict:
    """Enters the next moisture reading of one of the user's open lots."""
    l = env.one("SELECT id, status FROM lots WHERE lot_code = ? AND member_id = ?", [lotCode, env.user_id])
    if l is None:
        raise env.Error("you have no lot " + lotCode)
    if l["status"] != "open":
        raise env.Error("the lot " + lotCode + " is " + l["status"] + " and takes no more readings")
    earlier = env.query("SELECT percent FROM moisture_readings WHERE lot_id = ? ORDER BY reading_no", [l["id"]])
    if len(earlier) >= 2:
        raise env.Error("the lot " + lotCode + " has both its readings")
    number = len(earlier) + 1
    env.insert(
        """INSERT INTO moisture_readings (lot_id, reading_no, percent, honey_temp_c, refractometer, read_at)
           VALUES (?, ?, ?, ?, ?, ?)""",
        [l["id"], number, float(percent), float(honeyTempC), refractometer, env.now],
    )
    status = "open"
    if number == 2:
        status = "measured"
        env.execute("UPDATE lots SET status = 'measured' WHERE id = ?", [l["id"]])
    values = [r["percent"] for r in earlier] + [float(percent)]
    return {
        "lot_code": lotCode,
        "status": status,
        "reading_no": number,
        "percent": float(percent),
        "honey_temp_c": float(honeyTempC),
        "refractometer": refractometer,
        "read_at": env.now,
        "mean_percent": round(sum(values) / len(values), 2),
        "difference_percent": round(max(values) - min(values), 2) if number == 2 else None,
    }
