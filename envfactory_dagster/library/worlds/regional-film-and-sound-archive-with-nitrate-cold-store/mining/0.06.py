import re
def solve(tools):
    d="02_price_list_2026.html"
    out=[]
    def money(s):
        s=s.strip()
        if s=="free":
            return 0,None
        m=re.match(r"^\+(\d+) ?%$",s.replace("\u00a0"," "))
        if m:
            return None,int(m.group(1))
        a,b=s.split(".")
        return int(a)*100+int(b),None
    for i,r in enumerate(tools.rows(document=d,table=1),1):
        w=[x.strip() for x in re.split(r"\n+",r["What"]) if x.strip()]
        p=[x.strip() for x in re.split(r"\n+",r["\u20ac"]) if x.strip()]
        if len(w)!=len(p):
            if len(p)==1:
                w=[" ".join(w)]
            else:
                raise ValueError("row %d: %r %r"%(i,w,p))
        c,q=money(p[0])
        c2=w2=None
        if len(w)>1:
            w2=w[1]; c2,_=money(p[1])
        out.append({"values":{"price_no":r["No."].strip(),"what":w[0],"price":c,"surcharge_percent":q,"second_line":w2,"second_price":c2},"sources":[{"document":d,"table":1,"first":i,"last":i}]})
    return out
