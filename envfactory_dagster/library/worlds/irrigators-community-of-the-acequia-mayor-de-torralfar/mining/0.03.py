def solve(tools):
    rows = tools.rows(document="09_draw_book_2026.csv", table=1)
    return [" | ".join(str(v) for v in r.values()) for r in rows]
