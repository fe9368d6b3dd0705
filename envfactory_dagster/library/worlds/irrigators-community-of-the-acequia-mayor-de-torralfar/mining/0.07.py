def solve(tools):
    d = "07_turn_list.csv"
    plots = {}
    for n, r in enumerate(tools.rows(document=d, table=1), 1):
        p = int(r["plot_1904"])
        span = {"document": d, "table": 1, "first": n, "last": n}
        h = int(r["hanegadas_1904"])
        if p in plots:
            plots[p]["values"]["hanegadas"] += h
            plots[p]["values"]["hours_week"] += int(r["hours"])
            plots[p]["sources"].append(span)
        else:
            plots[p] = {"values": {"plot": p, "owner_in_1904": r["owner_in_1904"], "partida": r["partida"], "hanegadas": h, "hours_week": int(r["hours"]), "sluice": r["sluice"], "crop": r["crop_2026"], "holder": None if r["holder_2026"] == "NONE" else r["holder_2026"]}, "sources": [span]}
    for n, r in enumerate(tools.rows(document="08_padron_2026.csv", table=1), 1):
        if r["plots_1904"] in ("3", "8", "11"):
            plots[int(r["plots_1904"])]["sources"].append({"document": "08_padron_2026.csv", "table": 1, "first": n, "last": n})
    for n, line in enumerate(tools.lines(document="05_letter_plot_17.txt"), 1):
        if "21 hanegadas and two turns" in line:
            plots[17]["sources"].append({"document": "05_letter_plot_17.txt", "table": 0, "first": n, "last": n})
    return [plots[p] for p in sorted(plots)]
