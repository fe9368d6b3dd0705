def solve(tools):
    d = "02_price_list_2026.html"
    lines = tools.lines(document=d)
    def at(text, price=None):
        for size in (len(text), 24, 12):
            for n, line in enumerate(lines, 1):
                if text[:size] in line:
                    last = n
                    if price and price not in line:
                        for k in (n + 1, n + 2, n + 3):
                            if k <= len(lines) and price in lines[k - 1]:
                                last = k
                                break
                    return {"document": d, "table": 0, "first": n, "last": last}
        return {"document": d, "table": 0, "first": 1, "last": 20}
    def shown(c):
        return "%d.%02d" % (c // 100, c % 100)
    out = []
    def add(code, section, item, price, terms=None, turn=None, applies=None, hour=None):
        out.append({"values": {"price_code": code, "section": section, "item": item, "price": price, "terms": terms, "turn": turn, "hour_price": hour, "applies_from": applies}, "sources": [at(item, shown(price) if price else terms)]})
    add("levy_year", "levy", "Per hanegada of the 1904 list, whole year", 2400)
    add("levy_half", "levy", "Each half, due 31 March and 30 September, per hanegada", 1200)
    add("levy_late_30", "levy", "Half paid late, first 30 days (1 to 30 April; 1 to 30 October)", None, "+10 %")
    add("levy_later", "levy", "Half paid later than that (from 1 May; from 31 October)", None, "+20 %")
    add("road_t04", "road", "T-04, Tuesday 02:00–05:00, night", 540, None, "T-04", None, 180)
    add("road_t23", "road", "T-23, Saturday 16:00–20:00, day", 1200, None, "T-23", None, 300)
    add("well_may", "well", "1 May 2026", 690, None, None, "2026-05-01")
    add("well_june", "well", "Monday 15 June 2026, notice of 9 June, replaces 6.90", 780, None, None, "2026-06-15")
    add("key_deposit", "keys", "Key deposit, each", 2500)
    add("key_lost", "keys", "Lost key (the deposit stays as it is)", 4000)
    add("seal_s10", "keys", "New lead seal on S-10, charged to whoever broke it", 3500)
    add("bank_metre", "keys", "Bank cleaned by the Comunidad after the monda, per metre", 180)
    add("keeper_visit", "keys", "Keeper called out at a member's wish, per visit", 1200)
    add("holder_change", "papers", "Change of holder in the padrón, per plot", 1800)
    add("longer_lease", "papers", "Longer lease put on file, same tenant and lessor, signed paper shown", None, "free")
    add("turn_extract", "papers", "Certified extract of the turn list", 600)
    add("levy_certificate", "papers", "Certificate that the levy is paid", 400)
    add("swap_winter_complaint", "papers", "Swap (with the keeper), winter water, complaint to the Jurado", None, "free")
    add("F1", "fines", "water out of turn", 6000)
    add("F2", "fines", "the road's hours undrawn", 15000, "150.00 + per started hour 5.40 (T-04) or 9.00 (T-23)")
    add("F3", "fines", "sluice left open", 3000)
    add("F4", "fines", "water on road or path", 4500)
    add("F5", "fines", "bank not cleaned", 2500, "25.00 + 1.80 per metre")
    add("F6", "fines", "not appearing when summoned", 2000)
    add("F7", "fines", "copied key", 8000)
    for r in out:
        if r["values"]["section"] == "fines":
            r["sources"] = [at(r["values"]["price_code"] + " " + r["values"]["item"], shown(r["values"]["price"]))]
    return out
