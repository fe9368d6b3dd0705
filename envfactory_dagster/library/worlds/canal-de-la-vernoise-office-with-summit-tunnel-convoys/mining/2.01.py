import re
def solve(tools):
    doc="by-laws-rpv.md"
    L=tools.lines(document=doc)
    L=[x if isinstance(x,str) else (x.get("text") or "") for x in L]
    want={2,3,4,8,17,18,19,20,21,22,23,24,25,26,27,28,29,30}
    out=[];part=None;pi=None
    for i,x in enumerate(L):
        h=re.match(r"^## (Part .*)$",x.strip())
        if h: part=h.group(1).strip();pi=i+1
        m=re.match(r"^\*\*Art\. (\d+)\.\*\*\s*(.*)$",x.strip())
        if m and int(m.group(1)) in want:
            out.append({"values":{"article_no":int(m.group(1)),"part":part,"article_text":m.group(2).replace("*","")},
              "sources":[{"document":doc,"table":0,"first":i+1,"last":i+1},{"document":doc,"table":0,"first":pi,"last":pi}]})
    return out
