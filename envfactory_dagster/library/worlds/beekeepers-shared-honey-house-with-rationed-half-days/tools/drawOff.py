def drawOff(env, *, tankNo: str, memberNo: str, kg: float, into: str) -> dict:
    """Draws kilos of the user's share of a tank into jars or buckets."""
    m = env.one("SELECT id FROM members WHERE id = ? AND member_no = ?", [env.user_id, memberNo])
    if m is None:
        raise env.Error("the member number " + memberNo + " is not yours")
    t = env.one("SELECT id, status FROM tanks WHERE tank_no = ?", [tankNo])
    if t is None:
        raise env.Error("there is no tank " + tankNo)
    if t["status"] not in ("ready", "jars_only"):
        raise env.Error("the tank " + tankNo + " is " + t["status"] + " and cannot be drawn from")
    if t["status"] == "jars_only" and into not in ("jar_450", "jar_900"):
        raise env.Error("a share of the tank " + tankNo + " leaves only in jars, not in buckets")
    holds = {"jar_450": 0.45, "jar_900": 0.9, "bucket_14": 14.0, "bucket_40": 40.0}[into]
    count = int(round(kg / holds))
    if count < 1 or abs(count * holds - kg) > 0.0001:
        raise env.Error("only full jars and buckets are drawn: a multiple of " + str(holds) + " kg")
    kilos = round(count * holds, 2)
    own = env.one(
        """SELECT (SELECT COALESCE(SUM(p.share_kg), 0.0) FROM pours p JOIN lots l ON l.id = p.lot_id
                   WHERE p.tank_id = :tank AND l.member_id = :user)
                - (SELECT COALESCE(SUM(d.kg), 0.0) FROM draw_offs d
                   WHERE d.tank_id = :tank AND d.member_id = :user) AS n""",
        {"tank": t["id"], "user": env.user_id},
    )["n"]
    share = round(own, 2)
    if kilos > share:
        raise env.Error("your share of the tank " + tankNo + " is only " + str(share) + " kg")
    number = env.new_id("DRW")
    env.insert(
        "INSERT INTO draw_offs (draw_no, tank_id, member_id, kg, container, drawn_at) VALUES (?, ?, ?, ?, ?, ?)",
        [number, t["id"], env.user_id, kilos, into, env.now],
    )
    return {
        "draw_no": number,
        "tank_no": tankNo,
        "kg": kilos,
        "container": into,
        "container_count": count,
        "drawn_at": env.now,
        "own_share_kg": round(share - kilos, 2),
    }
