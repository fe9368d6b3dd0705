import re
def solve(tools):
    d = "02_price_list_2026.html"
    heads = {"Levy (cequiaje)": "Levy", "The road's hours (Thursday draw only)": "The road's hours", "Pozo San Roque": "Pozo San Roque", "Keys, seals, ditch": "Keys, seals, ditch", "Papers": "Papers", "Fines of the Jurado": "Fines of the Jurado"}
    codes = "levy_year levy_half levy_late_30 levy_later road_t04 road_t23 well_may well_june key_deposit key_lost seal_s10 bank_metre keeper_visit holder_change longer_lease turn_extract levy_certificate swap_winter_complaint F1 F2 F3 F4 F5 F6 F7".split()
    out, head, at = [], None, 0
    for n, line in enumerate(tools.lines(document=d), 1):
        line = line.strip()
        cells = [c.strip() for c in line.split(" | ")]
        if line in heads:
            head, at = line, n
        elif head and len(cells) > 1 and re.search(r"[0-9]|free", cells[-1]):
            v = {"price_code": codes[len(out)], "section": heads[head], "item": re.sub(r" \(2025: [^)]*\)$", "", cells[0]), "price": None}
            last = cells[-1]
            m = re.match(r"([0-9]+)\.([0-9][0-9])", last)
            if m:
                v["price"] = int(m.group(1) + m.group(2))
            if not m or m.group(0) != last:
                v["terms"] = last
            if len(cells) == 4:
                v["turn"] = cells[0][:4]
                v["hour_price"] = int(cells[2][:4].replace(".", ""))
            if v["price_code"] == "well_may":
                v["applies_from"] = "2026-05-01"
            if v["price_code"] == "well_june":
                v["applies_from"] = "2026-06-15"
            out.append({"values": v, "sources": [{"document": d, "table": 0, "first": at, "last": at}, {"document": d, "table": 0, "first": n, "last": n}]})
    assert len(out) == 25, len(out)
    return out
