def solve(tools):
    def at(document, text):
        for n, line in enumerate(tools.lines(document=document), 1):
            if text in line:
                return {"document": document, "table": 0, "first": n, "last": n}
        raise ValueError(text)
    leaflet = at("03_leaflet_questions.md", "(S-01 to S-07)")
    ibor = at("03_leaflet_questions.md", "Paco Ibor")
    def table(first, last=None):
        return {"document": "12_sluices_and_keys.json", "table": 1, "first": first, "last": last or first}
    return [
        {"values": {"keeper": "Elías Górriz", "reach": "upper", "first_sluice": "S-01", "last_sluice": "S-07", "swap_book": "keeps the book for turns at S-01 to S-07"}, "sources": [leaflet, table(1), at("06_notice_2026-06-09.md", "swap books are with")]},
        {"values": {"keeper": "Noelia Salvador", "reach": "lower", "first_sluice": "S-08", "last_sluice": "S-14", "swap_book": "keeps the book for turns at S-08 to S-14"}, "sources": [leaflet, table(8), at("06_notice_2026-06-09.md", "swap books are with")]},
        {"values": {"keeper": "Paco Ibor", "reach": None, "first_sluice": None, "last_sluice": None, "swap_book": "walks the ditch but decides nothing"}, "sources": [ibor]},
    ]
