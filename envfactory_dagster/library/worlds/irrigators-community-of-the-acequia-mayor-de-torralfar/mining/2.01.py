def solve(tools):
    def at(document, text, more=0):
        for n, line in enumerate(tools.lines(document=document), 1):
            if text in line:
                return {"document": document, "table": 0, "first": n, "last": n + more}
        return {"document": document, "table": 0, "first": 1, "last": 1}
    R, P, M, N, L, X = "01_irrigation_rules.md", "02_price_list_2026.html", "04_minutes_general_meeting_2026-01-25.txt", "06_notice_2026-06-09.md", "03_leaflet_questions.md", "05_letter_plot_17.txt"
    f, h = at(R, "Who takes the hours, name or reserve"), at(R, "Lost by breakage or cut")
    return [
        {"values": {"cause": "name takes the hours", "sits_out": "sits out the next two Thursdays", "thursdays": 2, "counted": "Five takings a season"}, "sources": [f]},
        {"values": {"cause": "reserve takes the hours", "sits_out": "The reserve who pays sits out the same two, counted from that draw", "thursdays": 2, "counted": "Five takings a season"}, "sources": [f, at(L, "The reserve who pays")]},
        {"values": {"cause": "name does not pay", "sits_out": "A name that does not pay sits out four", "thursdays": 4}, "sources": [f]},
        {"values": {"cause": "reserve does not pay", "sits_out": "The reserve who does not pay owes nothing and sits out none", "thursdays": 0}, "sources": [f]},
        {"values": {"cause": "all lost", "sits_out": "Sitting-out stands", "thursdays": 2, "counted": "not counted to the five"}, "sources": [f, h]},
        {"values": {"cause": "part lost", "sits_out": "Sitting-out stands", "thursdays": 2, "counted": "part: counted"}, "sources": [f, h]},
    ]
