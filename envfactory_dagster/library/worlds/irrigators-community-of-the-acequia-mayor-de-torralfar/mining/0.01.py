def solve(tools):
    out = {}
    for d in ("07_turn_list.csv", "08_padron_2026.csv"):
        rows = tools.rows(document=d, table=1)
        out[d] = [" | ".join(rows[0].keys())] + [" | ".join(str(v) for v in r.values()) for r in rows]
    return out
