def list_sites(env, *, kind: str = None) -> dict:
    """List the sites with the kinds of donation they take."""
    rows = env.query(
        "SELECT * FROM sites WHERE :kind IS NULL OR CASE :kind WHEN 'whole_blood' THEN takes_whole_blood "
        "WHEN 'platelets' THEN takes_platelets WHEN 'plasma' THEN takes_plasma ELSE takes_double_red END = 1 "
        "ORDER BY id",
        {"kind": kind},
    )
    result = []
    for row in rows:
        kinds = []
        if row["takes_whole_blood"]:
            kinds.append("whole_blood")
        if row["takes_platelets"]:
            kinds.append("platelets")
        if row["takes_plasma"]:
            kinds.append("plasma")
        if row["takes_double_red"]:
            kinds.append("double_red")
        result.append(
            {
                "site_code": row["site_code"],
                "name": row["name"],
                "mobile": bool(row["mobile"]),
                "kinds": kinds,
                "hours": row["hours"],
            }
        )
    return {"result": result}
