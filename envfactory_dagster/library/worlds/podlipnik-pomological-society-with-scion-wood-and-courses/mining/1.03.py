def solve(tools):
    cd, orr = "collection_days_2026.json", "ordering_rules_2026.md"
    out = []
    for s, m, k, a, b in (("Podlipnik", "Podlipnik", "K1", 7, 11), ("Trška Loka", "Trška Loka", "K2", 17, 21), ("Mahovnica", "Mahovnica", "K3", 27, 31)):
        out.append({"values": {"settlement": s, "municipality": m, "collection_place": k},
                    "sources": [{"document": cd, "table": 0, "first": a, "last": b}]})
    src, says = [], None
    for n, t in enumerate(tools.lines(document=orr), 1):
        t = str(t).strip()
        if "Dolnji Vrh" in t:
            src.append({"document": orr, "table": 0, "first": n, "last": n})
            says = t.partition(". ")[2].strip()
        elif "municipality of Podlipnik" in t:
            src.append({"document": orr, "table": 0, "first": n, "last": n})
    out.append({"values": {"settlement": "Dolnji Vrh", "municipality": "Podlipnik", "what_holds": says}, "sources": src})
    return out
