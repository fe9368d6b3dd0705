def solve(tools):
    doc="tunnel-log-21-24-may-2026.csv"
    out=[]
    for i,r in enumerate(tools.rows(document=doc,table=1)):
        v={"run":r["date"]+" "+r["convoy"],"day":r["date"],"slot":r["convoy"]+" summer","direction":r["direction"]}
        for k in ("scheduled","left","clear"):
            if r.get(k) and r[k]!="-": v[{"scheduled":"scheduled_at","left":"left_at","clear":"clear_at"}[k]]=r[k]
        for k in ("boats","units"):
            try: v[k]=int(r[k])
            except Exception: pass
        try: v["total_length_m"]=float(r["total_length_m"])
        except Exception: pass
        for k in ("tug","tug_skipper","remarks"):
            if r.get(k) and r[k]!="-": v[k]=r[k]
        out.append({"values":v,"sources":[{"document":doc,"table":1,"first":i+1,"last":i+1}]})
    return out
