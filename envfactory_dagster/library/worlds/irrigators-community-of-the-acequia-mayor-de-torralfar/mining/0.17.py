import datetime
def solve(tools):
    def at(document, text):
        for n, line in enumerate(tools.lines(document=document), 1):
            if text in line:
                return {"document": document, "table": 0, "first": n, "last": n}
        return None
    rules = [at("01_irrigation_rules.md", "Thursdays 2 April to 17 September"), at("01_irrigation_rules.md", "The box opens Friday"), at("04_minutes_general_meeting_2026-01-25.txt", "25 in all")]
    extra = {"D-17": at("05_letter_plot_17.txt", "D-17"), "D-20": at("06_notice_2026-06-09.md", "D-20"), "D-21": at("06_notice_2026-06-09.md", "D-21")}
    out = []
    for k in range(15, 26):
        d = datetime.date(2026, 4, 2) + datetime.timedelta(days=7 * (k - 1))
        code = "D-%02d" % k
        out.append({"values": {"draw": code, "thursday": d.isoformat(), "hour": "20:00", "box_shuts": "Thursday 13:00", "t04_on": (d + datetime.timedelta(days=5)).isoformat(), "t23_on": (d + datetime.timedelta(days=9)).isoformat()}, "sources": [s for s in rules + [extra.get(code)] if s]})
    return out
