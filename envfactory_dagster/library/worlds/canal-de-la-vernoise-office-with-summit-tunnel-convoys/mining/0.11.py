import re
def solve(tools):
    doc="stoppage-notices-2026.txt"
    L=tools.lines(document=doc)
    L=[x if isinstance(x,str) else (x.get("text") or "") for x in L]
    mon={"Nov":("11"),"Dec":"12","Jan":"01","Feb":"02","Mar":"03"}
    yr=lambda m: "2026" if m in ("Nov","Dec") else "2027"
    where={"CH1":"Locks 4, 5, 6; pounds 4-5 and 5-6 drained","CH5":"Lock 28, divers, one day","CH2":"Lock 13, lower gates renewed",
     "CH3":"Souterrain de Montcharme: chain turned, lining sounded from km 30.70 to km 31.40","CH4":"Locks 22 and 23; pound 22-23 lowered by 1.10 m"}
    h=[i for i,x in enumerate(L) if "NOTICE AV 2026/12" in x][0]+1
    out=[]
    for i,x in enumerate(L):
        m=re.match(r"^(CH\d)\s{2,}(.*?)\s{2,}\w{3} (\d+) (\w{3})\s+\w{3} (\d+) (\w{3})\s*$",x)
        if not m: continue
        c,w,d1,m1,d2,m2=m.groups()
        e=i
        while e+1<len(L) and L[e+1].startswith("   ") and L[e+1].strip(): e+=1
        out.append({"values":{"stoppage_code":c,"place":where[c],"from_day":"%s-%s-%02d"%(yr(m1),mon[m1],int(d1)),"to_day":"%s-%s-%02d"%(yr(m2),mon[m2],int(d2)),"notice_no":"AV 2026/12"},
          "sources":[{"document":doc,"table":0,"first":i+1,"last":e+1},{"document":doc,"table":0,"first":h,"last":h}]})
    return out
