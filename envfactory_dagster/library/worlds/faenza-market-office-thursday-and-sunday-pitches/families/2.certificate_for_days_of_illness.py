import datetime

DOCTORS = ("Dr.ssa Bertoni", "Dr. Minardi", "Dr.ssa Valentini", "Dr. Emiliani", "Dr.ssa Zaccaroni", "Dr. Lusa", "the hospital in Faenza", "Dr.ssa Monti", "Dr. Graziani")


def instances(world, rng):
    """A stretch of illness in which the user missed market days, some of them too long ago."""
    today = datetime.date.fromisoformat(world.clock[:10])
    marks = world.query(
        "SELECT m.held_on AS held_on, p.status AS status, m.absences_count AS counts, (SELECT count(*) FROM absence_excuses e WHERE e.presence_id = p.id) AS excuses"
        " FROM presences p JOIN market_days m ON m.id = p.market_day_id JOIN concessions c ON c.id = p.concession_id WHERE c.trader_id = 1 AND c.ended_on IS NULL ORDER BY m.held_on")
    thursdays = world.query("SELECT id, held_on FROM market_days WHERE weekday = 'thursday' AND status = 'held' AND held_on BETWEEN '2026-03-01' AND ? ORDER BY held_on", [world.clock[:10]])
    free = world.query(
        "SELECT id FROM pitches WHERE sector = 'non_food' AND status = 'in_use' AND code NOT IN ('S9', 'P20') AND NOT EXISTS"
        " (SELECT 1 FROM concessions c WHERE c.pitch_id = pitches.id AND c.weekday = 'thursday' AND c.ended_on IS NULL) ORDER BY code")
    last = world.one("SELECT (SELECT max(id) FROM concessions) AS c, (SELECT max(id) FROM presences) AS p")
    for _ in range(900):
        first = today - datetime.timedelta(days=rng.randint(8, 40))
        end = first + datetime.timedelta(days=rng.randint(4, 24))
        if end >= today:
            continue
        span = (first.isoformat(), end.isoformat())
        given = {}
        if marks:
            inside = [m for m in marks if span[0] <= m["held_on"] <= span[1]]
            if any(m["status"] != "absent" or m["counts"] == 0 or m["excuses"] for m in inside):
                continue
            missed = [m["held_on"] for m in inside]
        else:
            concession = last["c"] + 1
            given["concessions"] = [{
                "id": concession, "trader_id": 1, "pitch_id": rng.choice(free)["id"], "weekday": "thursday", "price_category_id": 4, "suspended_on_fairs": 0, "status": "active",
                "granted_on": rng.choice(("2018-02-01", "2020-10-01", "2022-04-01", "2024-09-01")),
            }]
            missed = [d["held_on"] for d in thursdays if span[0] <= d["held_on"] <= span[1]]
            others = {d["held_on"] for d in thursdays if d["held_on"] not in missed and rng.random() < 0.15}
            given["presences"] = [
                {"id": last["p"] + 1 + n, "concession_id": concession, "market_day_id": d["id"], "status": "absent" if d["held_on"] in missed or d["held_on"] in others else "present",
                 "marked_at": f"{d['held_on']}T07:{'31' if d['held_on'] in missed or d['held_on'] in others else '30'}:00"}
                for n, d in enumerate(thursdays)
            ]
        if not 2 <= len(missed) <= 5:
            continue
        sent = [m for m in missed if (today - datetime.date.fromisoformat(m)).days <= 15]
        if len(sent) == len(missed) and rng.random() < 0.7:
            continue
        if not sent and rng.random() < 0.8:
            continue
        p = {
            "first": span[0], "last": span[1], "doctor": rng.choice(DOCTORS), "dated": (first + datetime.timedelta(days=rng.randint(0, 2))).isoformat(), "sent": sent,
        }
        case = {"p": p, "given": given}
        if not sent:
            case.update({"kind": "refusal", "rule": "illness_certificate_within_15_days"})
        yield case


def solve(tools, p):
    me = tools.get_my_details()["trader"]
    sent = []
    for concession in tools.search_concessions(trader_id=me["id"], status="active")["concessions"]:
        for absence in tools.list_presences(concession_id=concession["id"], first_day=p["first"], last_day=p["last"], status="absent")["presences"]:
            try:
                tools.send_absence_excuse(presence_id=absence["id"], reason="illness", proof="medical_certificate", proof_issued_by=p["doctor"], proof_dated_on=p["dated"])
                sent.append(absence["held_on"])
            except tools.Error:
                pass
    if not sent:
        return {
            "outcome": "refused",
            "answers": {"sent_for": None},
            "reason": "illness_certificate_within_15_days",
            "message": "The certificate comes too late for all of these market days: it has to be sent in no later than 15 days after the market day missed.",
        }
    return {
        "outcome": "done",
        "answers": {"sent_for": sorted(sent)},
        "reason": None,
        "message": f"The certificate has been sent in for {', '.join(sorted(sent))}; for any other day of that time it is too late.",
    }


def _absences(world, p):
    rows = world.initial.query(
        "SELECT p.id AS id, m.held_on AS held_on FROM presences p JOIN market_days m ON m.id = p.market_day_id JOIN concessions c ON c.id = p.concession_id"
        " WHERE c.trader_id = 1 AND c.status = 'active' AND p.status = 'absent' AND m.held_on BETWEEN ? AND ? ORDER BY m.held_on, p.id",
        [p["first"], p["last"]])
    return [r for r in rows if r["held_on"] in p["sent"]]


def goal_certificate_sent_where_it_can_be(world, p):
    """The certificate is sent in for each missed day that can still be excused, or all of it is refused as too late."""
    if not p["sent"]:
        return world.report.outcome == "refused" and world.report.reason == "illness_certificate_within_15_days"
    for absence in _absences(world, p):
        rows = world.final.query(
            "SELECT proof_issued_by, status FROM absence_excuses WHERE presence_id = ? AND reason = 'illness' AND proof = 'medical_certificate' AND proof_dated_on = ?",
            [absence["id"], p["dated"]])
        if len(rows) != 1 or rows[0]["status"] != "sent" or not world.same_text(rows[0]["proof_issued_by"], p["doctor"]):
            return False
    return True


def goal_says_for_which_days(world, p):
    """Says for which market days the certificate has gone in; empty where it is too late for all."""
    if not p["sent"]:
        return world.report.outcome == "refused" and world.report.says("sent_for", None)
    return world.report.says("sent_for", sorted(p["sent"]))


def guard_adds_only_these_excuses(world, p):
    """Added nothing but one excuse for each of these days."""
    allowed = [a["id"] for a in _absences(world, p)]
    for change in world.changes:
        after = change["after"]
        if change["table"] != "absence_excuses" or change["before"] is not None or after["presence_id"] not in allowed:
            return False
        if after["reason"] != "illness" or after["proof"] != "medical_certificate" or after["status"] != "sent" or after["decided_on"] is not None:
            return False
        allowed.remove(after["presence_id"])
    return True


def guard_reports_the_right_outcome(world, p):
    """Reports it as done, or as refused where the certificate is too late for every day."""
    if world.report.outcome is None:
        return True
    if p["sent"]:
        return world.report.outcome == "done" and world.report.reason is None
    return world.report.outcome == "refused" and world.report.reason == "illness_certificate_within_15_days"
