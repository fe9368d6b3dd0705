import datetime

GARAGES = ("Autofficina Zama", "Officina Drei", "Carrozzeria Manfredi", "Gomme e Meccanica Visani", "Autoriparazioni Sangiorgi", "Officina Bentini", "Elettrauto Cavina", "Autofficina Melandri")


def instances(world, rng):
    """Two days on which the van broke down, with what has already been excused as a breakdown this year."""
    today = datetime.date.fromisoformat(world.clock[:10])
    own = world.query(
        "SELECT p.id AS id, c.id AS concession_id, m.held_on AS held_on, p.status AS status, m.absences_count AS counts,"
        " (SELECT count(*) FROM absence_excuses e WHERE e.presence_id = p.id) AS sent,"
        " (SELECT count(*) FROM absence_excuses e WHERE e.presence_id = p.id AND e.reason = 'van_breakdown' AND e.status <> 'rejected') AS broken"
        " FROM concessions c JOIN presences p ON p.concession_id = c.id JOIN market_days m ON m.id = p.market_day_id"
        " WHERE c.trader_id = 1 AND c.status = 'active' AND m.held_on >= '2026-01-01' ORDER BY m.held_on")
    thursdays = world.query("SELECT id, held_on FROM market_days WHERE weekday = 'thursday' AND status = 'held' AND held_on >= '2026-02-01' AND held_on < ? ORDER BY id", [world.clock[:10]])
    free = world.query(
        "SELECT p.id AS id FROM pitches p LEFT JOIN concessions c ON c.pitch_id = p.id AND c.weekday = 'thursday' AND c.ended_on IS NULL"
        " WHERE c.id IS NULL AND p.sector = 'non_food' AND p.status = 'in_use' AND p.code <> 'S9' ORDER BY p.id")
    last = world.one("SELECT (SELECT max(id) FROM concessions) AS c, (SELECT max(id) FROM presences) AS p, (SELECT max(id) FROM absence_excuses) AS e")
    for _ in range(900):
        given, used = {}, {}
        garage = rng.choice(GARAGES)
        if own:
            absent = [{"concession": r["concession_id"], "day": r["held_on"]} for r in own if r["status"] == "absent" and r["counts"] == 1 and r["sent"] == 0]
            for r in own:
                used[r["concession_id"]] = used.get(r["concession_id"], 0) + r["broken"]
        else:
            concession = last["c"] + 1
            given["concessions"] = [{
                "id": concession, "trader_id": 1, "pitch_id": rng.choice(free)["id"], "weekday": "thursday", "price_category_id": 4, "suspended_on_fairs": 0, "status": "active",
                "granted_on": rng.choice(("2017-04-01", "2019-09-01", "2021-02-01", "2023-10-01")),
            }]
            away = sorted(rng.sample([d["held_on"] for d in thursdays], 5))
            before = sorted(rng.sample(away[:4], rng.choice((0, 1, 1, 2))))
            given["presences"], given["absence_excuses"] = [], []
            for n, d in enumerate(thursdays):
                status = "excused" if d["held_on"] in before else "absent" if d["held_on"] in away else "present"
                given["presences"].append({
                    "id": last["p"] + 1 + n, "concession_id": concession, "market_day_id": d["id"], "status": status,
                    "marked_at": f"{d['held_on']}T07:{'30' if status == 'present' else '31'}:00",
                })
                if d["held_on"] in before:
                    held = datetime.date.fromisoformat(d["held_on"])
                    given["absence_excuses"].append({
                        "id": last["e"] + 1 + len(given["absence_excuses"]), "presence_id": last["p"] + 1 + n, "reason": "van_breakdown", "proof": "garage_receipt",
                        "proof_issued_by": garage, "proof_dated_on": (held + datetime.timedelta(days=1)).isoformat(), "sent_on": (held + datetime.timedelta(days=2)).isoformat(),
                        "status": "accepted", "decided_on": (held + datetime.timedelta(days=3)).isoformat(),
                    })
            if not given["absence_excuses"]:
                del given["absence_excuses"]
            absent = [{"concession": concession, "day": d} for d in away if d not in before]
            used[concession] = len(before)
        two = sorted(rng.sample(absent, 2), key=lambda a: a["day"])
        sent = []
        for a in two:
            if used.get(a["concession"], 0) < 2:
                used[a["concession"]] = used.get(a["concession"], 0) + 1
                sent.append(a["day"])
        if not sent and rng.random() < 0.5:
            continue
        receipts = [datetime.date.fromisoformat(a["day"]) + datetime.timedelta(days=rng.randint(1, 3)) for a in two]
        if max(receipts) > today:
            continue
        p = {
            "first": two[0]["day"], "second": two[1]["day"], "garage": garage, "receipt1": receipts[0].isoformat(), "receipt2": receipts[1].isoformat(), "sent": sent,
        }
        case = {"p": p, "given": given}
        if not sent:
            case.update({"kind": "refusal", "rule": "breakdown_excuses_2_a_year"})
        yield case


def solve(tools, p):
    me = tools.get_my_details()["trader"]
    concessions = tools.search_concessions(trader_id=me["id"], status="active")["concessions"]
    sent = []
    for day, receipt in ((p["first"], p["receipt1"]), (p["second"], p["receipt2"])):
        for concession in concessions:
            for absence in tools.list_presences(concession_id=concession["id"], first_day=day, last_day=day, status="absent")["presences"]:
                try:
                    tools.send_absence_excuse(presence_id=absence["id"], reason="van_breakdown", proof="garage_receipt", proof_issued_by=p["garage"], proof_dated_on=receipt)
                    sent.append(day)
                except tools.Error:
                    pass
    if not sent:
        return {
            "outcome": "refused", "answers": {"sent_for": None}, "reason": "breakdown_excuses_2_a_year",
            "message": "Neither day can be excused: a van breakdown is excused for no more than 2 market days per concession in the calendar year, and these have been used.",
        }
    return {
        "outcome": "done", "answers": {"sent_for": sent}, "reason": None,
        "message": f"The receipt has gone in for {' and '.join(sent)}.",
    }


def _days(p):
    return [(day, receipt) for day, receipt in ((p["first"], p["receipt1"]), (p["second"], p["receipt2"])) if day in p["sent"]]


def _presence(world, day):
    return world.initial.one(
        "SELECT p.id AS id FROM market_days m JOIN presences p ON p.market_day_id = m.id JOIN concessions c ON c.id = p.concession_id"
        " WHERE m.held_on = ? AND c.trader_id = 1 AND c.status = 'active' AND p.status = 'absent'", [day])["id"]


def goal_receipts_sent_as_far_as_allowed(world, p):
    """The receipts have gone in for the days that the limit leaves, the earlier first; or both are refused."""
    if not p["sent"]:
        return world.report.outcome == "refused" and world.report.reason == "breakdown_excuses_2_a_year"
    for day, receipt in _days(p):
        rows = world.final.query(
            "SELECT proof_issued_by, proof_dated_on, status FROM absence_excuses WHERE presence_id = ? AND reason = 'van_breakdown' AND proof = 'garage_receipt' ORDER BY id",
            [_presence(world, day)])
        if len(rows) != 1 or rows[0]["status"] != "sent" or rows[0]["proof_dated_on"] != receipt or not world.same_text(rows[0]["proof_issued_by"], p["garage"]):
            return False
    return True


def goal_says_for_which_days(world, p):
    """Says for which days a receipt has gone in; empty where for none."""
    if not p["sent"]:
        return world.report.outcome == "refused" and world.report.says("sent_for", None)
    return world.report.says("sent_for", p["sent"])


def guard_adds_only_these_excuses(world, p):
    """Added nothing but one breakdown excuse for each of these days."""
    allowed = [_presence(world, day) for day, _ in _days(p)]
    for change in world.changes:
        after = change["after"]
        if change["table"] != "absence_excuses" or change["before"] is not None or after["presence_id"] not in allowed:
            return False
        if after["reason"] != "van_breakdown" or after["proof"] != "garage_receipt" or after["status"] != "sent" or after["decided_on"] is not None:
            return False
        allowed.remove(after["presence_id"])
    return True


def guard_reports_the_right_outcome(world, p):
    """Reports it as done, or as refused where the two breakdowns of the year have been used."""
    if world.report.outcome is None:
        return True
    if p["sent"]:
        return world.report.outcome == "done" and world.report.reason is None
    return world.report.outcome == "refused" and world.report.reason == "breakdown_excuses_2_a_year"
