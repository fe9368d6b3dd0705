def solve(tools):
    d="08_counter_list_state_2026-06-19.csv"
    out=[]
    for i,r in enumerate(tools.rows(document=d,table=1),1):
        def s(k):
            v=(r.get(k) or "").strip()
            return v or None
        def n(k):
            v=s(k)
            return int(v) if v else None
        out.append({"values":{"item":s("item"),"item_class":s("class"),"title":s("title"),"made":n("made"),"printed":n("printed"),"print_of":s("print_of"),"format":s("format"),"cans":n("cans"),"minutes":n("minutes"),"condition":s("condition"),"place":s("place"),"access_copy":s("access_copy"),"issued_to":s("issued_to"),"rights":s("rights"),"digital_master":s("digital_master")},"sources":[{"document":d,"table":1,"first":i,"last":i}]})
    return out
