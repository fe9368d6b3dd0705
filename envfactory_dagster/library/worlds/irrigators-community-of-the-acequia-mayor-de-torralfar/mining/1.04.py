def solve(tools):
    def at(document, text, more=0):
        for n, line in enumerate(tools.lines(document=document), 1):
            if text in line:
                return {"document": document, "table": 0, "first": n, "last": n + more}
        return {"document": document, "table": 0, "first": 1, "last": 1}
    R, P, M, N, L, X = "01_irrigation_rules.md", "02_price_list_2026.html", "04_minutes_general_meeting_2026-01-25.txt", "06_notice_2026-06-09.md", "03_leaflet_questions.md", "05_letter_plot_17.txt"
    def e(entry, a, b, what, *s):
        return {"values": {"entry": entry, "from_day": a, "to_day": b, "what": what}, "sources": list(s)}
    return [
        e("General Meeting", "2026-01-25", "2026-01-25", "General Meeting of 25 January 2026", at(R, "General Meeting of 25 January")),
        e("check after the monda", "2026-03-16", "2026-03-16", "check on 16 March", at(R, "check on 16 March")),
        e("levy late, +10 %", "2026-04-01", "2026-04-30", "Half paid late, first 30 days (1 to 30 April; 1 to 30 October)", at(P, "Half paid late, first 30 days")),
        e("levy late, +20 %", "2026-05-01", None, "Half paid later than that (from 1 May; from 31 October)", at(P, "Half paid later than that")),
        e("well price", "2026-06-15", None, "Monday 15 June 2026, notice of 9 June, replaces 6.90", at(P, "Monday 15 June 2026")),
        e("Jurado of June", "2026-06-11", "2026-06-11", "Thursday 11 June at 19:00", at(N, "Thursday 11 June at 19:00")),
        e("Jurado of July", "2026-07-02", "2026-07-02", "Thursday 2 July", at(N, "Thursday 2 July")),
        e("Jurado of August", "2026-08-06", "2026-08-06", "Jurado in August: Thursday the 6th", at(N, "Jurado in August")),
    ]
