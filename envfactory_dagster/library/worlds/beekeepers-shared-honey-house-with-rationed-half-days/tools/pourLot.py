def pourLot(env, *, tankNo: str, lotCode: str, kg: float) -> dict:
    """Pours kilos of one of the user's measured lots into a shared tank."""
    t = env.one(
        "SELECT id, tank_no, max_moisture_percent, capacity_kg, honey_type, status FROM tanks WHERE tank_no = ?",
        [tankNo],
    )
    if t is None:
        raise env.Error("there is no tank " + tankNo)
    l = env.one(
        "SELECT id, honey_type, net_kg, status FROM lots WHERE lot_code = ? AND member_id = ?",
        [lotCode, env.user_id],
    )
    if l is None:
        raise env.Error("you have no lot " + lotCode)
    if l["status"] not in ("open", "measured"):
        raise env.Error("the lot " + lotCode + " is " + l["status"] + " and cannot be poured")
    values = [
        r["percent"]
        for r in env.query("SELECT percent FROM moisture_readings WHERE lot_id = ? ORDER BY reading_no", [l["id"]])
    ]
    if len(values) < 2:
        raise env.Error("the lot " + lotCode + " needs two moisture readings before it is poured")
    if round(max(values) - min(values), 4) > 0.4:
        raise env.Error("the two readings of " + lotCode + " are more than 0.4 points apart")
    if round(sum(values) / len(values), 4) > t["max_moisture_percent"]:
        raise env.Error(
            "the mean of " + str(round(sum(values) / len(values), 2)) + " % is too wet for " + tankNo
            + ", which takes at most " + str(t["max_moisture_percent"]) + " %"
        )
    if t["status"] not in ("empty", "filling"):
        raise env.Error("the tank " + tankNo + " is " + t["status"] + " and takes no honey")
    if t["status"] == "filling" and t["honey_type"] != l["honey_type"]:
        raise env.Error("the tank " + tankNo + " is being filled with " + t["honey_type"] + ", not " + l["honey_type"])
    kilos = round(float(kg), 2)
    share = round(kilos * 0.985, 2)
    if share <= 0:
        raise env.Error("that is too little to pour")
    poured = env.one("SELECT COALESCE(SUM(kg), 0.0) AS n FROM pours WHERE lot_id = ?", [l["id"]])["n"]
    left = round(l["net_kg"] - poured, 2)
    if kilos > left:
        raise env.Error("only " + str(left) + " kg of " + lotCode + " are left")
    standing = env.one(
        """SELECT (SELECT COALESCE(SUM(p.share_kg), 0.0) FROM pours p WHERE p.tank_id = :tank)
                - (SELECT COALESCE(SUM(d.kg), 0.0) FROM draw_offs d WHERE d.tank_id = :tank) AS n""",
        {"tank": t["id"]},
    )["n"]
    if round(standing + kilos, 2) > t["capacity_kg"]:
        raise env.Error("the tank " + tankNo + " has no room for " + str(kilos) + " kg more")
    env.insert(
        "INSERT INTO pours (tank_id, lot_id, kg, share_kg, poured_at) VALUES (?, ?, ?, ?, ?)",
        [t["id"], l["id"], kilos, share, env.now],
    )
    status = "poured" if kilos == left else "measured"
    env.execute("UPDATE lots SET status = ? WHERE id = ?", [status, l["id"]])
    if t["status"] == "empty":
        env.execute(
            "UPDATE tanks SET status = 'filling', honey_type = ?, settled_at = NULL WHERE id = ?",
            [l["honey_type"], t["id"]],
        )
    own = env.one(
        """SELECT (SELECT COALESCE(SUM(p.share_kg), 0.0) FROM pours p JOIN lots l ON l.id = p.lot_id
                   WHERE p.tank_id = :tank AND l.member_id = :user)
                - (SELECT COALESCE(SUM(d.kg), 0.0) FROM draw_offs d
                   WHERE d.tank_id = :tank AND d.member_id = :user) AS n""",
        {"tank": t["id"], "user": env.user_id},
    )["n"]
    return {
        "tank_no": tankNo,
        "lot_code": lotCode,
        "kg": kilos,
        "share_kg": share,
        "poured_at": env.now,
        "lot_status": status,
        "own_share_kg": round(own, 2),
    }
