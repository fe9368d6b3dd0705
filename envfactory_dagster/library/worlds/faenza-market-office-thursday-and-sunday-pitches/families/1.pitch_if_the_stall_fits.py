PEOPLE = (
    ("Loretta Baldi", "D", "household goods", 0, 0), ("Issa Traore", "D", "belts and bags", 0, 0),
    ("Nunzia Caruso", "D", "children's clothing", 0, 0), ("Egle Ravaioli", "D", "tablecloths", 0, 0),
    ("Sandro Melandri Tosi", "D", "shoes", 0, 0), ("Petra Novak", "E", "herbs and seedlings", 0, 0),
    ("Cosetta Neri Poggi", "E", "cut flowers", 0, 0), ("Arben Leka", "D", "socks and underwear", 0, 0),
    ("Giordana Liverzani", "A", "fruit and vegetables", 0, 0), ("Tonino Bassani", "A", "own potatoes and onions", 0, 0),
    ("Wanda Monti", "B", "bread and biscuits", 0, 0), ("Fermo Casalini", "B", "honey and jam", 0, 0),
    ("Ilario Gatti", "B", "goat cheese", 1, 0), ("Assunta Piras", "B", "pecorino", 1, 0),
    ("Norma Ricci Bitti", "B", "ricotta and squacquerone", 1, 0), ("Elio Vandini", "B", "mountain cheese", 1, 0),
    ("Pescheria Foschini", "C", "fish", 0, 1), ("Oreste Guidi", "C", "fish and clams", 0, 1),
)


def _standing(world, day):
    """Who stands where on the market day: pitch, and whether cheese or fish is sold."""
    return world.query(
        "SELECT x.pitch_id, p.market_row_id AS line, p.number, t.sells_cheese, t.sells_fish FROM ("
        " SELECT c.pitch_id, c.trader_id FROM concessions c WHERE c.weekday = :weekday AND c.status = 'active'"
        "  AND c.granted_on <= :day AND (:fair NOT IN ('on', 'called_off_late') OR c.on_fair_days = 'own_pitch')"
        "  AND NOT EXISTS (SELECT 1 FROM absences a WHERE a.concession_id = c.id AND a.market_day_id = :id)"
        " UNION ALL SELECT r.pitch_id, c.trader_id FROM replacement_turns r JOIN concessions c ON c.id = r.concession_id"
        "  WHERE r.market_day_id = :id AND r.status IN ('planned', 'taken')"
        " UNION ALL SELECT s.pitch_id, e.trader_id FROM spunta_call_answers s"
        "  JOIN spunta_register_entries e ON e.id = s.spunta_register_entry_id"
        "  WHERE s.market_day_id = :id AND s.outcome = 'pitch_given') x"
        " JOIN pitches p ON p.id = x.pitch_id JOIN traders t ON t.id = x.trader_id ORDER BY x.pitch_id",
        {"weekday": day["weekday"], "day": day["held_on"], "fair": day["fair"], "id": day["id"]})


def instances(world, rng):
    """A new spuntista who waits, and a pitch that is free, sometimes because its holder did not come."""
    day = world.one("SELECT id, held_on, weekday, fair FROM market_days WHERE status = 'open' ORDER BY held_on DESC")
    standing = _standing(world, day)
    taken = {row["pitch_id"] for row in standing}
    pitches = world.query(
        "SELECT p.id, p.code, p.number, p.market_row_id AS line, p.length_cm, p.sector, p.has_water, w.first_pitch AS first"
        " FROM pitches p JOIN market_rows w ON w.id = p.market_row_id WHERE p.status = 'usable' ORDER BY p.id")
    if day["fair"] in ("on", "called_off_late"):
        pitches = [pitch for pitch in pitches if pitch["first"] != "P1"]
    holders = {row["pitch_id"]: row["id"] for row in world.query(
        "SELECT c.id, c.pitch_id FROM concessions c WHERE c.weekday = ? AND c.status = 'active' AND c.on_fair_days = 'own_pitch'"
        " AND c.granted_on <= ? AND NOT EXISTS (SELECT 1 FROM absences a WHERE a.concession_id = c.id AND a.market_day_id = ?)",
        [day["weekday"], day["held_on"], day["id"]])}
    others = {row["name"] for row in world.query("SELECT name FROM traders ORDER BY id")}
    kinds = {row["code"]: row for row in world.query("SELECT id, code, sector FROM price_categories ORDER BY id")}
    last = world.one(
        "SELECT (SELECT max(id) FROM traders) AS trader, (SELECT max(id) FROM spunta_register_entries) AS entry,"
        " (SELECT max(id) FROM spunta_call_answers) AS answer, (SELECT max(id) FROM absences) AS absence")
    spots = {(pitch["line"], pitch["number"]): pitch for pitch in pitches}
    clashes = []
    for row in standing:
        for number in (row["number"] - 1, row["number"] + 1):
            pitch = spots.get((row["line"], number))
            if pitch is not None and pitch["sector"] == "food" and (row["sells_cheese"] or row["sells_fish"]):
                clashes.append((pitch, row["sells_fish"], row["sells_cheese"]))
    watered = [pitch for pitch in pitches if pitch["has_water"]]
    for _ in range(4000):
        case = rng.choice(("fits", "fits", "fits", "short", "short", "water", "clash"))
        pitch = rng.choice(watered if case == "water" else pitches)
        people = PEOPLE
        if case == "clash" and clashes:
            pitch, wants_cheese, wants_fish = rng.choice(clashes)
            people = [one for one in PEOPLE if (wants_cheese and one[3]) or (wants_fish and one[4])]
        name, code, goods, cheese, fish = rng.choice(people)
        kind = kinds[code]
        absent = None
        if pitch["id"] in taken:
            absent = holders.get(pitch["id"])
            if absent is None:
                continue
        beside = [row for row in standing if row["line"] == pitch["line"] and abs(row["number"] - pitch["number"]) == 1]
        clash = any((cheese and row["sells_fish"]) or (fish and row["sells_cheese"]) for row in beside)
        water = bool(pitch["has_water"]) and kind["sector"] == "non_food"
        if name in others or clash != (case == "clash") or water != (case == "water"):
            continue
        if case != "water" and kind["sector"] != pitch["sector"]:
            continue
        shorter = rng.choice((0, 50, 50, 100))
        stall = pitch["length_cm"] + rng.choice((50, 100)) if case == "short" else pitch["length_cm"] - shorter
        given = {
            "traders": [{
                "id": last["trader"] + 1, "name": name, "pec": name.lower().replace(" ", ".") + "@pec.example",
                "price_category_id": kind["id"], "goods": goods, "sells_cheese": cheese, "sells_fish": fish,
                "stall_length_cm": stall, "registro_imprese_on": "%d-%02d-%02d" % (
                    rng.randint(1988, 2021), rng.randint(1, 12), rng.randint(1, 28))}],
            "spunta_register_entries": [{
                "id": last["entry"] + 1, "trader_id": last["trader"] + 1, "weekday": day["weekday"],
                "attendances": rng.randint(20, 260), "last_seen_on": day["held_on"]}],
            "spunta_call_answers": [{
                "id": last["answer"] + 1, "spunta_register_entry_id": last["entry"] + 1, "market_day_id": day["id"],
                "helper_id": None, "outcome": "waiting", "pitch_id": None, "attendance_change": 1, "recorded_by": 1}]}
        if absent is not None:
            given["absences"] = [{
                "id": last["absence"] + 1, "concession_id": absent, "market_day_id": day["id"],
                "kind": rng.choice(("absent", "absent", "late")), "reason": "none_given", "proof": None,
                "proof_received_on": None, "status": "unexcused", "excused_on": None, "recorded_by": 1}]
        rule = {"water": "spunta_one_pitch_water_for_food", "clash": "no_cheese_beside_fish"}.get(case)
        instance = {
            "p": {"trader": name, "pitch": pitch["code"], "day": day["held_on"], "answer": last["answer"] + 1,
                  "pitch_id": pitch["id"], "rule": rule},
            "given": given}
        if rule:
            instance["kind"] = "refusal"
            instance["rule"] = rule
        yield instance


def solve(tools, p):
    day = tools.list_market_days(first_day=p["day"], last_day=p["day"])["market_days"][0]
    trader = next(t for t in tools.search_traders(name_contains=p["trader"])["traders"] if t["name"] == p["trader"])
    answer = tools.list_call_answers(market_day_id=day["id"], trader_id=trader["id"], outcome="waiting")["spunta_call_answers"][0]
    pitch = tools.search_pitches(code=p["pitch"])["pitches"][0]
    if trader["stall_length_cm"] > pitch["length_cm"]:
        tools.record_no_pitch(spunta_call_answer_id=answer["id"])
        said = "%s is too short for the stall of %s, so it is noted that no pitch was left." % (p["pitch"], p["trader"])
        return {"outcome": "done", "answers": {}, "reason": None, "message": said}
    beside = [
        o for o in tools.list_pitch_occupants(market_day_id=day["id"], market_row_id=pitch["market_row_id"])["occupants"]
        if abs(int(o["pitch_code"][1:]) - pitch["number"]) == 1]
    try:
        tools.give_pitch(spunta_call_answer_id=answer["id"], pitch_id=pitch["id"])
    except tools.Error as error:
        fish = (trader["sells_cheese"] and any(o["sells_fish"] for o in beside)) or (
            trader["sells_fish"] and any(o["sells_cheese"] for o in beside))
        rule = "no_cheese_beside_fish" if fish else "spunta_one_pitch_water_for_food"
        return {
            "outcome": "refused", "answers": {}, "reason": rule,
            "message": "%s cannot have %s: %s." % (p["trader"], p["pitch"], error)}
    return {"outcome": "done", "answers": {}, "reason": None, "message": "%s has %s." % (p["trader"], p["pitch"])}


def goal_ends_as_it_should(world, p):
    """The pitch is given if the stall fits, none is noted if not, and what a rule forbids is refused for that rule."""
    if p["rule"]:
        return world.report.outcome == "refused" and world.report.reason == p["rule"]
    fits = world.initial.one(
        "SELECT t.stall_length_cm <= p.length_cm AS fits FROM spunta_call_answers s"
        " JOIN spunta_register_entries e ON e.id = s.spunta_register_entry_id JOIN traders t ON t.id = e.trader_id"
        " JOIN pitches p ON p.id = ? WHERE s.id = ?", [p["pitch_id"], p["answer"]])["fits"]
    row = world.final.one(
        "SELECT outcome, pitch_id, attendance_change FROM spunta_call_answers WHERE id = ?", [p["answer"]])
    if fits:
        return row == {"outcome": "pitch_given", "pitch_id": p["pitch_id"], "attendance_change": 1}
    return row == {"outcome": "no_pitch", "pitch_id": None, "attendance_change": 1}


def guard_touches_only_this_answer(world, p):
    """Changed nothing but the outcome and the pitch of this one answer, and nothing at all where a rule forbids it."""
    if p["rule"]:
        return world.changes == []
    return all(
        change["table"] == "spunta_call_answers" and change["before"] is not None and change["after"] is not None
        and change["before"]["id"] == p["answer"]
        and all(change["before"][k] == change["after"][k] for k in change["before"] if k not in ("outcome", "pitch_id"))
        for change in world.changes)


def guard_reports_the_right_outcome(world, p):
    """Reports that it is done, or refused where a rule forbids it."""
    return world.report.outcome in (None, "refused" if p["rule"] else "done")


def guard_gives_the_right_reason(world, p):
    """Gives the rule as the reason where one forbids it, and no reason otherwise."""
    return world.report.outcome is None or world.report.reason == p["rule"]
