def listTanks(env) -> dict:
    """Lists the tanks with the shares in them."""
    tanks = env.query(
        """SELECT id, tank_no, is_protected, max_moisture_percent, capacity_kg, honey_type, status, settled_at, last_lye_wash
           FROM tanks ORDER BY tank_no""",
        [],
    )
    shares = env.query(
        """SELECT s.tank_id, s.member_id, m.member_no, ROUND(SUM(s.kg), 2) AS kg
           FROM (SELECT p.tank_id, l.member_id, p.share_kg AS kg FROM pours p JOIN lots l ON l.id = p.lot_id
                 UNION ALL
                 SELECT d.tank_id, d.member_id, -d.kg AS kg FROM draw_offs d) s
           JOIN members m ON m.id = s.member_id
           GROUP BY s.tank_id, s.member_id, m.member_no
           ORDER BY s.tank_id, m.member_no""",
        [],
    )
    result = []
    for t in tanks:
        mine = [s for s in shares if s["tank_id"] == t["id"] and s["kg"] > 0]
        row = {k: v for k, v in t.items() if k != "id"}
        row["kg"] = round(float(sum(s["kg"] for s in mine)), 2)
        row["own_share_kg"] = round(float(sum(s["kg"] for s in mine if s["member_id"] == env.user_id)), 2)
        row["shares"] = [{"member_no": s["member_no"], "kg": s["kg"]} for s in mine]
        result.append(row)
    return {"tanks": result}
