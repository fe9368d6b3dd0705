def solve(tools):
    out = []
    for r in tools.rows(document="stock_trees_rootstocks_2026-04-15.csv", table=1)[30:]:
        out.append("|".join(str(v) for v in r.values()))
    for r in tools.rows(document="varieties_2026.csv", table=1)[15:]:
        out.append("|".join(str(v) for v in r.values()))
    return "\n".join(out)
