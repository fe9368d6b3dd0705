def solve(tools):
    out = {}
    for d, n in (("12_sluices_and_keys.json", 1), ("02_price_list_2026.html", 1), ("02_price_list_2026.html", 2), ("02_price_list_2026.html", 3), ("02_price_list_2026.html", 4), ("02_price_list_2026.html", 5), ("02_price_list_2026.html", 6)):
        try:
            rows = tools.rows(document=d, table=n)
            out[d[:2] + " t" + str(n)] = [list(rows[0].keys())] + [list(r.values()) for r in rows]
        except Exception as e:
            out[d[:2] + " t" + str(n)] = str(e)[:200]
    return out
