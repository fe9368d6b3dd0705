def solve(tools):
    def at(document, text, more=0):
        for n, line in enumerate(tools.lines(document=document), 1):
            if text in line:
                return {"document": document, "table": 0, "first": n, "last": n + more}
        return {"document": document, "table": 0, "first": 1, "last": 1}
    R, P, M, N, L, X = "01_irrigation_rules.md", "02_price_list_2026.html", "04_minutes_general_meeting_2026-01-25.txt", "06_notice_2026-06-09.md", "03_leaflet_questions.md", "05_letter_plot_17.txt"
    a, c = at(R, "O owner"), at(R, "Classes O and T")
    return [
        {"values": {"class_code": "O", "who": "owner", "entered_with": "deed", "draw": "Classes O and T, 30 days in the padrón"}, "sources": [a, c]},
        {"values": {"class_code": "T", "who": "tenant with a lease on file", "entered_with": "lease", "draw": "T only with a lease on file to 27 September 2026 or later"}, "sources": [a, c]},
        {"values": {"class_code": "L", "who": "firm, co-ownership or parish", "signs": "one named person signs", "draw": "Not: class L"}, "sources": [a, c]},
    ]
