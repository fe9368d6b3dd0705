def solve(tools):
    d = "12_sluices_and_keys.json"
    out = []
    for n, r in enumerate(tools.rows(document=d, table=1), 1):
        note = r["note"] or None
        if r["sluice"] in ("S-06", "S-12"):
            note = None
        out.append({"values": {"sluice": r["sluice"], "name": r["name"], "reach": r["reach"], "keeper": r["keeper"], "kind": r["kind"], "built": int(r["built"]), "well_pipe": 1 if str(r["well_pipe"]).lower() in ("true", "1") else 0, "note": note}, "sources": [{"document": d, "table": 1, "first": n, "last": n}]})
    return out
