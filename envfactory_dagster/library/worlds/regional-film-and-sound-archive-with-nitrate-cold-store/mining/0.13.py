def solve(tools):
    M="04_minutes_2026-05-12.md"; R="01_rules_of_the_room.md"; G="10_van_and_lock_log.json"; P="02_price_list_2026.html"; L="03_leaflet_your_reel_is_cold.txt"
    ml=list(tools.lines(document=M)); ll=list(tools.lines(document=L))
    def at(lines,word):
        return [i for i,l in enumerate(lines,1) if word in l][0]
    def sp(d,a):
        return {"document":d,"table":0,"first":a,"last":a}
    pres=at(ml,"**Present:**"); fig=at(ml,"nitrate certificate since"); rui=at(ll,"Rui Pimentel Nogueira")
    A=sp(M,pres); W=sp(R,33)
    rows=[("Gra\u00e7a Seabra","Director","Fees waived beyond Art. 6",None,None,[A,W]),
     ("Rui Pimentel Nogueira","head of the room","Booth limits, when booths stand empty, and barring","11",None,[A,W,sp(L,rui)]),
     ("Ilda Taborda","conservator","Consents on N, V",None,None,[A,W]),
     ("Filipa Antunes","counter",None,None,None,[A]),
     ("Tiago Bento","counter",None,"14",None,[A,sp(P,47)]),
     ("Armando Vila\u00e7a","technician",None,None,None,[A,sp(M,fig)]),
     ("Joana Figo","technician",None,None,"2026-03-09",[A,sp(M,fig)]),
     ("Odete Ramalho","keeper, Sebal",None,None,None,[A,sp(G,3)]),
     ("N\u00e9lson Cardeira","van",None,None,None,[A,sp(G,3)]),
     ("Paulo Serra","relief",None,None,None,[sp(G,3)])]
    return [{"values":{"name":n,"post":p,"decides":x,"extension":e,"nitrate_certificate_since":c},"sources":s} for n,p,x,e,c,s in rows]
