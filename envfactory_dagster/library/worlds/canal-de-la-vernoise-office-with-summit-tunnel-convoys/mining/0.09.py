import re
def solve(tools):
    doc="stoppage-notices-2026.txt"
    L=tools.lines(document=doc)
    L=[x if isinstance(x,str) else (x.get("text") or "") for x in L]
    mon={"March":"03","April":"04","June":"06","July":"07","August":"08","September":"09"}
    heads=[i for i,x in enumerate(L) if re.match(r"\s*NOTICE AV 2026/\d+",x)]
    when={"AV 2026/03":("2026-03-28","2026-04-03"),"AV 2026/04":("2026-04-11",None),"AV 2026/06":("2026-06-16","2026-06-18"),
    "AV 2026/07":("2026-06-19","2026-06-30"),"AV 2026/09":("2026-07-23",None),"AV 2026/11":("2026-09-01",None),"AV 2026/12":("2026-11-16","2027-03-12")}
    out=[]
    for k,i in enumerate(heads):
        j=heads[k+1] if k+1<len(heads) else len(L)
        m=re.match(r"\s*NOTICE (AV 2026/\d+)\s+(\d+) (\w+) 2026",L[i])
        no=m.group(1)
        day="2026-%s-%02d"%(mon[m.group(3)],int(m.group(2)))
        t=i+1
        while not L[t].strip(): t+=1
        e=j-1
        while e>i and not L[e].strip(): e-=1
        sig=None
        body=[]
        for n in range(t+1,e+1):
            s=L[n].strip()
            q=re.match(r"^(Luc Thévenard|Sandrine Mercadal)",s)
            if q: sig=q.group(1); continue
            if s.startswith("seen:"): continue
            body.append(" ".join(s.split()))
        text="\n".join(body).strip()
        if no=="AV 2026/12": text=text[text.index("Conditions"):]
        v={"notice_no":no,"issued":day,"title":L[t].strip(),"notice_text":text}
        if sig: v["signed_by"]=sig
        a,b=when.get(no,(None,None))
        if a: v["from_day"]=a
        if b: v["to_day"]=b
        spans=[]
        p=i
        while p<=e:
            q=min(p+19,e)
            spans.append({"document":doc,"table":0,"first":p+1,"last":q+1})
            p=q+1
        out.append({"values":v,"sources":spans})
    return out
