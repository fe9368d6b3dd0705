def solve(tools):
    d = "07_turn_list.csv"
    out = []
    for n, r in enumerate(tools.rows(document=d, table=1), 1):
        road = r["remark"] if r["holder_2026"] == "NONE" else None
        out.append({"values": {"turn": r["turn"], "start_day": r["start_day"], "starts_at": r["start"], "end_day": r["end_day"], "ends_at": r["end"], "hours": int(r["hours"]), "hanegadas": int(r["hanegadas_1904"]), "plot": int(r["plot_1904"]), "road": road}, "sources": [{"document": d, "table": 1, "first": n, "last": n}]})
    return out
