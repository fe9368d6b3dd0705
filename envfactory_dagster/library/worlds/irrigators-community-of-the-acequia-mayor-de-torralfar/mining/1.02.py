def solve(tools):
    def at(document, text, more=0):
        for n, line in enumerate(tools.lines(document=document), 1):
            if text in line:
                return {"document": document, "table": 0, "first": n, "last": n + more}
        return {"document": document, "table": 0, "first": 1, "last": 1}
    R, P, M, N, L, X = "01_irrigation_rules.md", "02_price_list_2026.html", "04_minutes_general_meeting_2026-01-25.txt", "06_notice_2026-06-09.md", "03_leaflet_questions.md", "05_letter_plot_17.txt"
    d = "08_padron_2026.csv"
    c = at(R, "R-01, R-04, R-11")
    out = []
    for n, r in enumerate(tools.rows(document=d, table=1), 1):
        o = r["office_or_signatory"] or ""
        if not o or o.startswith("signs"):
            continue
        v = {"holder": r["member"], "office": o}
        s = [{"document": d, "table": 1, "first": n, "last": n}]
        if r["member"] in ("R-01", "R-04", "R-11", "R-14", "R-20"):
            v["shut_out_by"] = "the Board (R-01, R-04, R-11, R-14, R-20)"
            s.append(c)
        out.append({"values": v, "sources": s})
    return out
