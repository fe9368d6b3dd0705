def solve(tools):
    doc = "varieties_2026.csv"
    out = []
    for i, r in enumerate(tools.rows(document=doc, table=1), 1):
        code = str(r["code"]).strip()
        for p in str(r["pollinators"] or "").split(";"):
            p = p.strip()
            if p:
                out.append({"values": {"pair": code + " by " + p, "variety": code, "pollinator": p},
                            "sources": [{"document": doc, "table": 1, "first": i, "last": i}]})
    return out
