import re
def solve(tools):
    doc = "course_programme_2026.html"
    lines = list(tools.lines(document=doc))
    def cents(x):
        x = x.strip()
        if x == "free":
            return 0
        e, _, c = x.partition(".")
        return int(e) * 100 + int((c + "00")[:2])
    months = {"February": 2, "March": 3, "April": 4, "August": 8}
    out = []
    for i, r in enumerate(tools.rows(document=doc, table=1), 1):
        code = str(r["Code"]).strip()
        when = str(r["Date and time"])
        day, _, hours = when.partition(",")
        m = re.search(r"(\d+) (\w+)", day)
        v = {"code": code, "title": str(r["Course"]).strip(),
             "held_on": "2026-%02d-%02d" % (months[m.group(2)], int(m.group(1))),
             "hours": hours.strip(), "venue": str(r["Where"]).strip(),
             "seats": int(r["Places"]), "member_fee": cents(str(r["Member"])),
             "non_member_fee": cents(str(r["Non-member"])), "leads": str(r["Leads"]).strip()}
        src = [{"document": doc, "table": 1, "first": i, "last": i}]
        for n, t in enumerate(lines, 1):
            t = re.sub(r"<[^>]*>", "", str(t)).strip()
            h, _, rest = t.partition(":")
            if rest and code in re.split(r" and ", h.strip()):
                v["included"] = rest.strip()
                src.append({"document": doc, "table": 0, "first": n, "last": n})
                break
        if v["venue"][:2] in ("K1", "K2"):
            v["collection_place"] = v["venue"][:2]
        out.append({"values": v, "sources": src})
    return out
