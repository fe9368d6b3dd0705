import re
def solve(tools):
    d="06_notice_vans_and_closed_days.html"
    mon={"June":6,"July":7,"Aug":8,"Sept":9,"Oct":10,"Nov":11,"Dec":12}
    close={"2026-06-12":"2026-06-09T12:00:00","2026-08-25":"2026-08-07T12:00:00","2026-12-29":"2026-12-23T12:00:00"}
    view={"2026-06-02":"2026-06-03","2026-06-09":"2026-06-11","2026-12-22":"2026-12-23","2026-12-29":"2026-12-30"}
    back={"2026-06-26":"2026-06-30","2026-06-30":"2026-07-03","2026-12-22":"2026-12-29"}
    out=[]
    for i,r in enumerate(tools.rows(document=d,table=1),1):
        v=" ".join(r["Van day"].split()); t=" ".join(r["What is different"].split())
        m=re.findall(r"(Tue|Fri) (\d+)",v)
        mo=mon[v.split()[-1]]
        for w,x in m:
            k="2026-%02d-%02d"%(mo,int(x))
            out.append({"values":{"van_day":k,"weekday":w,"difference":t,"goes":0 if t.startswith("no van") else 1,"orders_close":close.get(k),"only_viewing_day":view.get(k),"goes_back":back.get(k)},"sources":[{"document":d,"table":1,"first":i,"last":i}]})
    return out
