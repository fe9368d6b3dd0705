def solve(tools):
    doc = "stock_trees_rootstocks_2026-04-15.csv"
    m = {'lot': 'lot', 'kind': 'kind', 'variety_code': 'variety_code', 'name': 'name', 'rootstock': 'rootstock', 'form_or_grade': 'form_or_grade', 'wood_from': 'wood_from', 'pieces': 'total', 'reserved_or_sold': 'reserved_or_sold', 'free_pieces': 'free', 'member_price': 'member_price_eur', 'handed_out_at': 'collection', 'remark': 'remark'}
    out = []
    for i, r in enumerate(tools.rows(document=doc, table=1), 1):
        v = {}
        for f, c in m.items():
            x = r.get(c)
            x = None if x is None else str(x).strip()
            if not x:
                continue
            if f in ("pieces", "reserved_or_sold", "free_pieces"):
                x = int(x)
            elif f == "member_price":
                e, _, c2 = x.partition(".")
                x = int(e) * 100 + int((c2 + "00")[:2])
            v[f] = x
        rem = str(r.get("remark") or "")
        v["is_r"] = 1 if r.get("collection") == "K1 only" and rem.startswith("R") else 0
        out.append({"values": v, "sources": [{"document": doc, "table": 1, "first": i, "last": i}]})
    return out
