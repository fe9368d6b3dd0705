import datetime
def solve(tools):
    def at(document, text):
        for n, line in enumerate(tools.lines(document=document), 1):
            if text in line:
                return {"document": document, "table": 0, "first": n, "last": n}
        return None
    rules = [at("01_irrigation_rules.md", "Thursdays 2 April to 17 September"), at("01_irrigation_rules.md", "The box opens Friday"), at("04_minutes_general_meeting_2026-01-25.txt", "25 in all")]
    book = {}
    for n, r in enumerate(tools.rows(document="09_draw_book_2026.csv", table=1), 1):
        b = book.setdefault(r["draw"], {"hour": r["hour"], "rows": []})
        b["day"] = r["thursday"]
        b[r["turn"]] = r["water_on"]
        b["rows"].append({"document": "09_draw_book_2026.csv", "table": 1, "first": n, "last": n})
    extra = {"D-10": at("03_leaflet_questions.md", "draw of Corpus"), "D-17": at("05_letter_plot_17.txt", "D-17"), "D-20": at("06_notice_2026-06-09.md", "D-20"), "D-21": at("06_notice_2026-06-09.md", "D-21")}
    day = datetime.date(2026, 4, 2)
    out = []
    for k in range(25):
        d = day + datetime.timedelta(days=7 * k)
        code = "D-%02d" % (k + 1)
        b = book.get(code, {})
        if b:
            assert b["day"] == d.isoformat(), code
            values = {"draw": code, "thursday": d.isoformat(), "hour": b.get("hour", "20:00"), "box_shuts": "Wednesday 13:00" if b.get("hour") == "12:00" else "Thursday 13:00", "t04_on": (d + datetime.timedelta(days=5)).isoformat(), "t23_on": (d + datetime.timedelta(days=9)).isoformat()}
        if b:
            assert b["T-04"] == values["t04_on"] and b["T-23"] == values["t23_on"], code
        sources = b.get("rows", []) + [s for s in rules + [extra.get(code)] if s]
        out.append({"values": values, "sources": sources})
    return out
