def solve(tools):
    doc = "faq.md"
    out, q, a, start, end = [], None, [], 0, 0
    def close():
        if q and a:
            out.append({"values": {"question": q, "answer": " ".join(a)}, "sources": [{"document": doc, "table": 0, "first": start, "last": end}]})
    for n, t in enumerate(tools.lines(document=doc), 1):
        t = str(t).strip()
        if t.startswith("**") and t.endswith("**") and len(t) > 4:
            close()
            q, a, start, end = t.strip("*").strip(), [], n, n
        elif t and q:
            a.append(t)
            end = n
    close()
    return out
