def solve(tools):
    rows = tools.rows(document="08_padron_2026.csv", table=1)
    return [" | ".join(str(v) for v in r.values()) for r in rows[10:]]
