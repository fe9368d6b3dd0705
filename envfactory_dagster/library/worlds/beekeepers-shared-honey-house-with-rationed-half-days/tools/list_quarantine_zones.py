def list_quarantine_zones(env, *, status: str | None = None, disease: str | None = None) -> dict:
    """Lists the foulbrood zones with the tanks and the user's apiaries they touch."""
    zones = env.query(
        """SELECT id, notice_no, disease, lat, lon, radius_m, issued_on, status, lifted_on, decision_no
           FROM quarantine_zones
           WHERE (:status IS NULL OR status = :status) AND (:disease IS NULL OR disease = :disease)
           ORDER BY issued_on DESC, id DESC""",
        {"status": status, "disease": disease},
    )
    result = []
    for z in zones:
        tanks = env.query(
            """SELECT t.tank_no FROM zone_tanks x JOIN tanks t ON t.id = x.tank_id
               WHERE x.quarantine_zone_id = ? ORDER BY t.tank_no""",
            [z["id"]],
        )
        apiaries = env.query(
            """SELECT a.register_no, a.place FROM zone_apiaries x JOIN apiaries a ON a.id = x.apiary_id
               WHERE x.quarantine_zone_id = ? AND a.member_id = ? ORDER BY a.register_no""",
            [z["id"], env.user_id],
        )
        row = {k: v for k, v in z.items() if k != "id"}
        row["tanks"] = [t["tank_no"] for t in tanks]
        row["own_apiaries"] = [dict(a) for a in apiaries]
        result.append(row)
    return {"quarantine_zones": result}
