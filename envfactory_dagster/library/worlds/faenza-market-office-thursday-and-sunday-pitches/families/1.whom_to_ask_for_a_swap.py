def instances(world, rng):
    """A holder without debts, a row, and a length that some of its holders can offer and others cannot."""
    held = world.query(
        "SELECT c.id, c.trader_id, c.weekday, t.name, t.stall_length_cm AS stall, p.length_cm AS length, p.sector,"
        " w.id AS line, w.name AS row_name, p.status AS state,"
        " EXISTS (SELECT 1 FROM quarterly_bills q JOIN concessions d ON d.id = q.concession_id"
        "  WHERE d.trader_id = c.trader_id AND q.status = 'open') AS owes,"
        " EXISTS (SELECT 1 FROM swap_applications s WHERE s.status = 'pending'"
        "  AND c.id IN (s.first_concession_id, s.second_concession_id)) AS pending,"
        " EXISTS (SELECT 1 FROM quarterly_bills q WHERE q.concession_id = c.id) AS billed"
        " FROM concessions c JOIN traders t ON t.id = c.trader_id JOIN pitches p ON p.id = c.pitch_id"
        " JOIN market_rows w ON w.id = p.market_row_id"
        " WHERE c.status = 'active' AND p.sector = 'non_food' ORDER BY c.id")
    last = world.one("SELECT max(id) AS id, max(code) AS code FROM quarterly_bills ORDER BY 1")
    quarter, due = ("2026-Q1", "2026-04-10") if world.clock[:10] < "2026-07-01" else ("2026-Q3", "2026-10-10")
    askers = [one for one in held if not one["owes"] and not one["pending"] and one["state"] == "usable"]
    lines = sorted({(one["line"], one["row_name"]) for one in held})
    for _ in range(3000):
        asker = rng.choice(askers)
        line, row_name = rng.choice(lines)
        least = asker["length"] + rng.choice((50, 50, 100))
        there = [
            one for one in held
            if one["line"] == line and one["weekday"] == asker["weekday"] and one["id"] != asker["id"]]
        fresh = [one for one in there if not one["billed"] and not one["pending"]]
        rng.shuffle(fresh)
        behind = {one["id"] for one in fresh[:rng.choice((0, 1, 2))]}
        right = [
            one for one in there
            if one["length"] >= least and one["stall"] <= asker["length"] and not one["owes"] and not one["pending"]
            and one["id"] not in behind]
        near = [one for one in there if one["length"] >= least and one not in right]
        if len(there) < 4 or not right or not near or len(right) > 5 or any(one["state"] != "usable" for one in right):
            continue
        bills = []
        for number, one in enumerate(sorted(behind), 1):
            bills.append({
                "id": last["id"] + number, "code": "BIL-%05d" % (int(last["code"][4:]) + number), "concession_id": one,
                "quarter": quarter, "amount_cents": rng.randint(240, 360) * 50, "due_on": due, "status": "open",
                "paid_on": None})
        metres = least // 100 if least % 100 == 0 else least / 100
        instance = {"p": {"holder": asker["name"], "row": row_name, "metres": metres, "least": least, "asker": asker["id"],
                          "line": line}}
        if bills:
            instance["given"] = {"quarterly_bills": bills}
        yield instance


def solve(tools, p):
    rows = {r["name"]: r["id"] for r in tools.list_market_rows()["market_rows"]}
    pitches = {pitch["id"]: pitch for pitch in tools.search_pitches()["pitches"]}
    asker = next(t for t in tools.search_traders(name_contains=p["holder"])["traders"] if t["name"] == p["holder"])
    own = tools.search_concessions(trader_id=asker["id"], status="active")["concessions"][0]
    mine = pitches[own["pitch_id"]]
    busy = set()
    for form in tools.list_swap_applications(status="pending")["swap_applications"]:
        busy |= {form["first_concession_id"], form["second_concession_id"]}
    names = []
    for concession in tools.search_concessions(weekday=own["weekday"], status="active")["concessions"]:
        pitch = pitches[concession["pitch_id"]]
        if concession["id"] == own["id"] or pitch["market_row_id"] != rows[p["row"]] or pitch["sector"] != mine["sector"]:
            continue
        trader = tools.get_trader(trader_id=concession["trader_id"])["trader"]
        open_bills = tools.list_quarterly_bills(concession_id=concession["id"], status="open")["quarterly_bills"]
        if (pitch["length_cm"] >= p["metres"] * 100 and trader["stall_length_cm"] <= mine["length_cm"]
                and not open_bills and concession["id"] not in busy):
            names.append(trader["name"])
    return {
        "outcome": "done",
        "answers": {"holders": names},
        "reason": None,
        "message": "%s can ask %s for a swap." % (p["holder"], " or ".join(names)),
    }


def goal_names_those_who_can_be_asked(world, p):
    """Names all the holders of the row who come into question, and no other."""
    rows = world.initial.query(
        "SELECT t.name FROM concessions c JOIN traders t ON t.id = c.trader_id JOIN pitches p ON p.id = c.pitch_id"
        " JOIN concessions a ON a.id = :asker JOIN pitches o ON o.id = a.pitch_id"
        " WHERE c.status = 'active' AND c.weekday = a.weekday AND c.id <> a.id AND p.market_row_id = :line"
        " AND p.sector = o.sector AND p.length_cm >= :least AND t.stall_length_cm <= o.length_cm"
        " AND NOT EXISTS (SELECT 1 FROM quarterly_bills q JOIN concessions d ON d.id = q.concession_id"
        "  WHERE d.trader_id = c.trader_id AND q.status = 'open')"
        " AND NOT EXISTS (SELECT 1 FROM swap_applications s WHERE s.status = 'pending'"
        "  AND c.id IN (s.first_concession_id, s.second_concession_id))"
        " ORDER BY p.number", {"asker": p["asker"], "line": p["line"], "least": p["least"]})
    order = [row["name"] for row in rows]
    return world.report.says("holders", order)


def guard_changes_nothing(world, p):
    """Changed nothing at all."""
    return world.changes == []


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")
