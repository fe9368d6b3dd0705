def solve(tools):
    doc = "ordering_rules_2026.md"
    out = []
    for i, r in enumerate(tools.rows(document=doc, table=1), 1):
        v = {"what": str(r["What"]).replace("**", "").strip(), "period": str(r["When"]).replace("**", "").strip()}
        out.append({"values": v, "sources": [{"document": doc, "table": 1, "first": i, "last": i}]})
    return out
