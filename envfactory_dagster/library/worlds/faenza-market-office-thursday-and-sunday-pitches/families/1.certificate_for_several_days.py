import datetime


def _age(today, day):
    """How many days ago a day was."""
    return (datetime.date.fromisoformat(today) - datetime.date.fromisoformat(day)).days


def instances(world, rng):
    """A holder who missed some market days in a row, and an earlier one for no good reason."""
    today = world.clock[:10]
    days = world.query(
        "SELECT id, held_on, weekday, fair FROM market_days WHERE held_on < ? AND held_on >= ? AND absences_count = 1"
        " AND status IN ('held', 'open') AND substr(held_on, 1, 4) = '2026' ORDER BY held_on",
        [today, "2026-01-01"])
    holders = world.query(
        "SELECT c.id, c.weekday, t.name AS holder FROM concessions c JOIN traders t ON t.id = c.trader_id"
        " JOIN pitches p ON p.id = c.pitch_id WHERE c.status = 'active' AND c.on_fair_days = 'own_pitch'"
        " AND p.status = 'usable' AND c.granted_on < '2026-01-01'"
        " AND NOT EXISTS (SELECT 1 FROM absences a JOIN market_days m ON m.id = a.market_day_id"
        "  WHERE a.concession_id = c.id AND julianday(?) - julianday(m.held_on) < 75) ORDER BY c.id", [today])
    old = {row["id"]: row["n"] for row in world.query(
        "SELECT a.concession_id AS id, count(*) AS n FROM absences a GROUP BY a.concession_id ORDER BY a.concession_id")}
    last = world.one("SELECT max(id) AS id FROM absences")["id"]
    for _ in range(900):
        one = rng.choice(holders)
        mine = [day for day in days if day["weekday"] == one["weekday"] and _age(today, day["held_on"]) < 56]
        end = rng.randint(1, min(4, len(mine) - 3))
        length = rng.choice((2, 3, 3, 4))
        missed = mine[max(0, len(mine) - end - length + 1):len(mine) - end + 1]
        before = [day for day in mine if day["held_on"] < missed[0]["held_on"]]
        if len(missed) < 2 or not before:
            continue
        rows = []
        for day in rng.sample(before, min(len(before), rng.choice((1, 1, 2)))) + missed:
            ill = day in missed
            rows.append({
                "id": last + 1 + len(rows), "concession_id": one["id"], "market_day_id": day["id"],
                "kind": "absent" if ill else rng.choice(("absent", "late")),
                "reason": "none_given" if ill else rng.choice(("none_given", "not_excusable")), "proof": None,
                "proof_received_on": None, "status": "unexcused", "excused_on": None, "recorded_by": 2})
        in_time = [day["held_on"] for day in missed if _age(today, day["held_on"]) <= 15]
        if not in_time and rng.random() < 0.65:
            continue
        rule = None if in_time else "excuse_proof_in_time"
        instance = {
            "p": {"holder": one["holder"], "today": today, "first": missed[0]["held_on"], "last": missed[-1]["held_on"],
                  "concession": one["id"], "rule": rule},
            "given": {"absences": rows}}
        if rule:
            instance["kind"] = "refusal"
            instance["rule"] = rule
        yield instance


def solve(tools, p):
    trader = next(t for t in tools.search_traders(name_contains=p["holder"])["traders"] if t["name"] == p["holder"])
    concession = tools.search_concessions(trader_id=trader["id"], status="active")["concessions"][0]
    absences = tools.list_absences(
        concession_id=concession["id"], first_day=p["first"], last_day=p["last"], status="unexcused")["absences"]
    in_time = [absence for absence in absences if _age(p["today"], absence["held_on"]) <= 15]
    if not in_time:
        return {
            "outcome": "refused", "answers": {"excused_days": None, "unexcused_left": None},
            "reason": "excuse_proof_in_time",
            "message": "Nothing can be excused: a certificate must reach the office within 15 days after the missed market "
                       "day, and the last day missed was %s." % absences[-1]["held_on"]}
    excused = []
    for absence in in_time:
        tools.record_absence_reason(absence_id=absence["id"], reason="illness", proof="certificate")
        tools.excuse_absence(absence_id=absence["id"])
        excused.append(absence["held_on"])
    counts = tools.count_absences(year=int(p["today"][:4]), concession_id=concession["id"])["counts"]
    left = counts[0]["unexcused"]
    return {
        "outcome": "done", "answers": {"excused_days": excused, "unexcused_left": left}, "reason": None,
        "message": "Excused for %s: %s. %d unexcused absences are left this year." % (p["holder"], ", ".join(excused), left)}


def _in_time(world, p):
    """The absences in the weeks of the illness for which the certificate came in time."""
    return world.initial.query(
        "SELECT a.id, m.held_on FROM absences a JOIN market_days m ON m.id = a.market_day_id"
        " WHERE a.concession_id = ? AND a.status = 'unexcused' AND m.held_on >= ? AND m.held_on <= ?"
        " AND julianday(?) - julianday(m.held_on) <= 15 ORDER BY m.held_on",
        [p["concession"], p["first"], p["last"], p["today"]])


def _refused(world, p):
    """The refusal that is due where the certificate comes too late for all."""
    return world.report.outcome == "refused" and world.report.reason == p["rule"]


def goal_excuses_the_days_in_time(world, p):
    """Every day for which it came in time is excused for illness, with the certificate as received today."""
    if p["rule"]:
        return _refused(world, p)
    rows = [
        world.final.one("SELECT status, reason, proof, proof_received_on FROM absences WHERE id = ?", [absence["id"]])
        for absence in _in_time(world, p)]
    return bool(rows) and all(row == {
        "status": "excused", "reason": "illness", "proof": "certificate", "proof_received_on": p["today"]} for row in rows)


def goal_says_which_days(world, p):
    """Says which days are excused now, or nothing where none can be."""
    if p["rule"]:
        return _refused(world, p) and world.report.says("excused_days", None)
    return world.report.says("excused_days", [absence["held_on"] for absence in _in_time(world, p)])


def goal_says_how_many_are_left(world, p):
    """Says how many unexcused absences are left this year, or nothing where none can be excused."""
    if p["rule"]:
        return _refused(world, p) and world.report.says("unexcused_left", None)
    row = world.initial.one(
        "SELECT count(*) AS n FROM absences a JOIN market_days m ON m.id = a.market_day_id WHERE a.concession_id = ?"
        " AND a.status = 'unexcused' AND m.absences_count = 1 AND substr(m.held_on, 1, 4) = substr(?, 1, 4)",
        [p["concession"], p["today"]])
    return world.report.says("unexcused_left", row["n"] - len(_in_time(world, p)))


def guard_touches_no_other_absence(world, p):
    """Changed nothing but the reason, the proof and the state of the absences for which the certificate is in time."""
    ids = [absence["id"] for absence in _in_time(world, p)]
    may = ("reason", "proof", "proof_received_on", "status", "excused_on")
    return all(
        change["table"] == "absences" and change["before"] is not None and change["after"] is not None
        and change["before"]["id"] in ids
        and all(change["before"][k] == change["after"][k] for k in change["before"] if k not in may)
        for change in world.changes)


def guard_reports_the_right_outcome(world, p):
    """Reports that it is done, or refused where the certificate comes too late for all."""
    return world.report.outcome in (None, "refused" if p["rule"] else "done")


def guard_gives_the_right_reason(world, p):
    """Gives the rule as the reason where one forbids it, and no reason otherwise."""
    return world.report.outcome is None or world.report.reason == p["rule"]
