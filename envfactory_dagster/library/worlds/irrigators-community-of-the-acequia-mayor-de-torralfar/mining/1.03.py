def solve(tools):
    def at(document, text, more=0):
        for n, line in enumerate(tools.lines(document=document), 1):
            if text in line:
                return {"document": document, "table": 0, "first": n, "last": n + more}
        return {"document": document, "table": 0, "first": 1, "last": 1}
    R, P, M, N, L, X = "01_irrigation_rules.md", "02_price_list_2026.html", "04_minutes_general_meeting_2026-01-25.txt", "06_notice_2026-06-09.md", "03_leaflet_questions.md", "05_letter_plot_17.txt"
    t = lambda n: {"document": "12_sluices_and_keys.json", "table": 1, "first": n, "last": n}
    return [
        {"values": {"breakage": "B-1", "sluice": "S-05", "what": "hinge broken", "reported_on": "2026-04-27", "mended_on": "2026-05-06"}, "sources": [t(5)]},
        {"values": {"breakage": "B-2", "sluice": "S-09", "what": "frame broke", "broke_at": "2026-05-09T14:40:00", "main_shut_until": "2026-05-10T02:00:00", "mended_on": "2026-05-14", "draw": "D-05"}, "sources": [t(9), {"document": "09_draw_book_2026.csv", "table": 1, "first": 10, "last": 10}]},
    ]
