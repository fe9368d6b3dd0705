def solve(tools):
    out=[]
    for d in ["01_rules_of_the_room.md","02_price_list_2026.html","03_leaflet_your_reel_is_cold.txt","06_notice_vans_and_closed_days.html","04_minutes_2026-05-12.md"]:
        L=list(tools.lines(document=d))
        out.append(d+" %d"%len(L))
        for i,l in enumerate(L,1):
            s=l if isinstance(l,str) else str(l)
            out.append("%d %s"%(i,s[:34]))
        for t in (1,2):
            try:
                R=list(tools.rows(document=d,table=t))
                out.append("table %d %d %s %s"%(t,len(R),str(R[0]),str(R[-1])))
            except Exception as e:
                out.append("no table %d %s"%(t,str(e)[:60]))
    return out
