def solve(tools):
    doc="moorings-2026.csv"
    rows=tools.rows(document=doc,table=1)
    out=[]
    for i,r in enumerate(rows):
        c=r.get("code") or ""
        if not (c.startswith("VAU") or c.startswith("ESS")): continue
        v={"mooring_code":c,"site":r["site"],"km":float(r["km"]),"bank":r["bank"],"places":int(r["places"]),"depth_m":float(r["depth_m"])}
        for a,b in (("max_length_m","max_length_m"),):
            try: v[a]=float(r[b])
            except Exception: pass
        if r.get("electricity_a"): v["electricity_a"]=r["electricity_a"]
        for a,b in (("night_high","night_1may_27sep_eur"),("night_rest","night_rest_eur")):
            try: v[a]=int(round(float(r[b])*100))
            except Exception: pass
        if r.get("remark"): v["remarks"]=r["remark"]
        out.append({"values":v,"sources":[{"document":doc,"table":1,"first":i+1,"last":i+1}]})
    return out
