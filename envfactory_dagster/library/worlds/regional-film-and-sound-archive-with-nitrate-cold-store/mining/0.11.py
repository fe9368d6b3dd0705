import re
def solve(tools):
    d="06_notice_vans_and_closed_days.html"
    L=list(tools.lines(document=d))
    M="04_minutes_2026-05-12.md"
    ml=list(tools.lines(document=M))
    def at(lines,word):
        return [i for i,l in enumerate(lines,1) if word in l][0]
    n=at(L,"Thu 4 June, Wed 10 June")
    june=at(ml,"Corpus Christi is Thursday")
    r={"document":"01_rules_of_the_room.md","table":0,"first":6,"last":6}
    N={"document":d,"table":0,"first":n,"last":n}
    J={"document":M,"table":0,"first":june,"last":june}
    days=[("2026-06-04","2026-06-04","Corpus Christi",[J,N]),("2026-06-10","2026-06-10","Portugal Day",[J,N]),
          ("2026-07-04","2026-07-04",None,[N,r]),("2026-08-10","2026-08-22",None,[N,r]),
          ("2026-10-05","2026-10-05",None,[N]),("2026-12-01","2026-12-01",None,[N]),("2026-12-08","2026-12-08",None,[N]),
          ("2026-12-24","2026-12-24",None,[N,r]),("2026-12-25","2026-12-25",None,[N]),("2026-12-31","2026-12-31",None,[N,r])]
    return [{"values":{"first_day":a,"last_day":b,"occasion":o},"sources":s} for a,b,o,s in days]
