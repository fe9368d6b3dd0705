def solve(tools):
    R, P, M, N, L = "01_irrigation_rules.md", "02_price_list_2026.html", "04_minutes_general_meeting_2026-01-25.txt", "06_notice_2026-06-09.md", "03_leaflet_questions.md"
    def at(document, text, more=0):
        lines = tools.lines(document=document)
        for n, line in enumerate(lines, 1):
            if text in line:
                return {"document": document, "table": 0, "first": n, "last": min(n + more, len(lines))}
        return {"document": document, "table": 0, "first": 1, "last": 1}
    def e(entry, a, b, what, *sources):
        return {"values": {"entry": entry, "from_day": a, "to_day": b, "what": what}, "sources": list(sources)}
    return [
        e("counter hours", None, None, "Tuesday and Thursday 10:00–13:00, Thursday also 18:30–20:00", at(P, "Counter: Casa del Agua")),
        e("payment", None, None, "Card or transfer; cash only at the Thursday table", at(P, "cash only at the Thursday table")),
        e("monda", "2026-03-02", "2026-03-15", "ditch dry", at(R, "8. Monda"), at(M, "Monda Monday 2")),
        e("season", "2026-04-06", "2026-09-27", "Season: Monday 6 April to Sunday 27 September", at(R, "Season: Monday 6 April")),
        e("draws", "2026-04-02", "2026-09-17", "Thursdays 2 April to 17 September, 20:00, Casa del Agua", at(R, "Thursdays 2 April to 17 September")),
        e("well", "2026-05-01", "2026-09-30", "1 May to 30 September, 08:00–22:00", at(R, "1 May to 30 September")),
        e("levy, first half", "2026-03-31", "2026-03-31", "due 31 March", at(R, "halves due 31 March")),
        e("levy, second half", "2026-09-30", "2026-09-30", "due 31 March and 30 September", at(R, "halves due 31 March")),
        e("Corpus", "2026-06-04", "2026-06-04", "local holiday: draw at 12:00", at(M, "Corpus, Thursday 4 June", 1)),
        e("San Juan", "2026-06-24", "2026-06-24", "the well telephone is not answered; book by Tuesday", at(N, "San Juan")),
        e("counter closed", "2026-08-10", "2026-08-21", "Counter closed Monday 10 to Friday 21 August; the box stays", at(N, "Counter closed")),
    ]
