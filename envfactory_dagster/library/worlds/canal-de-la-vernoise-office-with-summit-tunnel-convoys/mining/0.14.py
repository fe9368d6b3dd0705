def solve(tools):
    doc="moorings-2026.csv"
    rows=tools.rows(document=doc,table=1)
    out=[]
    for i,r in enumerate(rows):
        c=r.get("code") or ""
        if not (c.startswith("VAU") or c.startswith("ESS")): continue
        out.append({"values":{"mooring_code":c,"between_locks":r["between_locks"],"water":r["water"]},"sources":[{"document":doc,"table":1,"first":i+1,"last":i+1}]})
    return out
