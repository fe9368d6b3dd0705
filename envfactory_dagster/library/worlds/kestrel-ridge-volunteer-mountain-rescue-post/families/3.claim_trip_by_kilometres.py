import datetime
import re

TEXTS = (
    "Drive to the post and back",
    "Own car and toll",
    "Car and parking",
    "Own car and bridge fee",
    "Van and parking at the car park",
    "Car to the trailhead and back",
)
CASES = ("Hiker off the path", "Scrambler stuck", "Paraglider down", "Bivouac party overdue", "Broken wrist", "Lost child")


def _when(day, minute):
    return (datetime.datetime.combine(day, datetime.time()) + datetime.timedelta(minutes=minute)).isoformat()


def _sum(p):
    return int(p["km"]) * int(p["rate"]) + int(p["extra"])


def _callout(db, p):
    return db.one(
        "SELECT g.id AS id, g.stood_down_at AS ended FROM callouts g JOIN sectors v ON v.id = g.sector_id"
        " WHERE v.name = ? AND substr(g.opened_at, 1, 10) = ?",
        [p["sector"], p["day"]],
    )


def _old(db, callout_id):
    return db.one(
        "SELECT w.* FROM expense_claims w WHERE w.member_id = 1 AND w.callout_id = ? AND w.status <> 'withdrawn'",
        [callout_id],
    )


def instances(world, rng):
    """A callout the user may claim for or not, by part taken, age, an earlier claim and the sum."""
    today = datetime.date.fromisoformat(world.clock[:10])
    tops = world.one(
        "SELECT (SELECT max(g.id) FROM callouts g) AS callout, (SELECT max(h.id) FROM callout_assignments h) AS part,"
        " (SELECT max(l.id) FROM log_entries l) AS entry, (SELECT max(w.id) FROM expense_claims w) AS claim"
    )
    last_code = world.one("SELECT max(g.code) AS code FROM callouts g")["code"]
    prefix, digits = re.fullmatch(r"(.*?)(\d+)", last_code).groups()
    busy = set()
    for row in world.query("SELECT g.opened_at, coalesce(g.closed_at, g.opened_at) AS over FROM callouts g"):
        busy.update((row["opened_at"][:10], row["over"][:10]))
    for row in world.query("SELECT v.starts_at, v.ends_at FROM duty_shifts v"):
        busy.update((row["starts_at"][:10], row["ends_at"][:10]))
    for row in world.query("SELECT v.starts_at FROM exercises v"):
        busy.add(row["starts_at"][:10])
    sectors = world.query("SELECT v.id, v.name FROM sectors v ORDER BY v.id DESC")
    crowd = [row["id"] for row in world.query("SELECT v.id FROM members v WHERE v.id >= 2 ORDER BY v.name")]
    for _ in range(500):
        case = rng.choice(("new", "new", "new", "again", "replace", "replace", "replace", "over", "late", "decided", "absent"))
        age = rng.randint(63, 95) if case == "late" else rng.randint(5, 56)
        day = today - datetime.timedelta(days=age)
        if day.isoformat() in busy:
            continue
        sector = rng.choice(sectors)
        callout_id = tops["callout"] + 1
        start = rng.randrange(6 * 60, 15 * 60, 5)
        down = start + rng.randrange(150, 300, 5)
        party = [(member, "back") for member in rng.sample(crowd, rng.randint(1, 3))]
        if case != "absent":
            party.append((1, "back"))
        elif rng.random() < 0.7:
            party.append((1, rng.choice(("coming", "not_coming"))))
        parts, entries = [], []
        for place, (member, status) in enumerate(party):
            went = status == "back"
            answered, out, back = start + 4 + place, start + 30, down + 15 + 5 * place
            parts.append({
                "id": tops["part"] + place + 1,
                "callout_id": callout_id,
                "member_id": member,
                "status": status,
                "answered_at": _when(day, answered),
                "sent_out_at": _when(day, out) if went else None,
                "back_at": _when(day, back) if went else None,
            })
            entries.append((answered, member, "answer"))
            if went:
                entries += [(out, member, "sent_out"), (back, member, "back")]
        logs = [
            {
                "id": tops["entry"] + number,
                "callout_id": callout_id,
                "member_id": member,
                "kind": kind,
                "happened_at": _when(day, minute),
                "logged_at": _when(day, minute),
                "note": None,
            }
            for number, (minute, member, kind) in enumerate(sorted(entries), 1)
        ]
        status = None
        if case == "again" or (case == "late" and rng.random() < 0.4):
            status = "withdrawn"
        elif case == "replace" or (case == "over" and rng.random() < 0.6):
            status = "submitted"
        elif case == "decided":
            status = rng.choice(("approved", "paid", "refused")) if age >= 12 else "submitted"
            if status == "submitted":
                continue
        claims = []
        if status is not None:
            decided = status in ("approved", "paid", "refused")
            one = datetime.timedelta(days=1)
            claims.append({
                "id": tops["claim"] + 1,
                "member_id": 1,
                "callout_id": callout_id,
                "exercise_id": None,
                "amount_cents": rng.randrange(400, 3000, 5),
                "description": "Fuel",
                "status": status,
                "submitted_at": _when(day + one, 20 * 60),
                "decided_at": _when(day + 7 * one, 11 * 60) if decided else None,
                "paid_at": _when(day + 10 * one, 9 * 60) if status == "paid" else None,
                "withdrawn_at": _when(day + 2 * one, 7 * 60) if status == "withdrawn" else None,
            })
        rate = rng.randrange(30, 55)
        extra = rng.randrange(200, 2400, 10)
        km = rng.randint(330, 420) if case == "over" else rng.randint(24, 180)
        if case == "over":
            rate = rng.randrange(46, 60)
        refused = case in ("over", "late", "decided", "absent")
        p = {
            "sector": sector["name"],
            "day": day.isoformat(),
            "km": km,
            "rate": rate,
            "extra": extra,
            "note": rng.choice(TEXTS),
            "today": today.isoformat(),
            "refused": refused,
        }
        if (_sum(p) > 15000) != (case == "over"):
            continue
        instance = {
            "p": p,
            "given": {
                "callouts": [{
                    "id": callout_id,
                    "code": prefix + str(int(digits) + 1).zfill(len(digits)),
                    "sector_id": sector["id"],
                    "reason": rng.choice(CASES),
                    "status": "closed",
                    "opened_at": _when(day, start),
                    "stood_down_at": _when(day, down),
                    "closed_at": _when(day, down + 50),
                }],
                "callout_assignments": parts,
                "log_entries": logs,
            },
        }
        if claims:
            instance["given"]["expense_claims"] = claims
        if refused:
            instance["kind"] = p["kind"] = "refusal"
            instance["rule"] = p["rule"] = "expense_claim_window"
        yield instance


def solve(tools, p):
    sector = next(s for s in tools.list_sectors()["sectors"] if s["name"] == p["sector"])
    found = tools.search_callouts(sector_id=sector["id"], first_day=p["day"], last_day=p["day"])["callouts"][0]
    callout = tools.get_callout(callout_id=found["id"])
    claims = tools.list_my_expense_claims(callout_id=found["id"])["expense_claims"]
    old = next((claim for claim in claims if claim["status"] != "withdrawn"), None)
    amount = _sum(p)
    age = datetime.date.fromisoformat(p["today"]) - datetime.date.fromisoformat(callout["stood_down_at"][:10])
    why = None
    if not any(a["is_mine"] and a["sent_out_at"] is not None for a in callout["callout_assignments"]):
        why = "you were not sent out on this callout"
    elif age.days > 60:
        why = "it ended more than 60 days ago"
    elif amount > 15000:
        why = "it comes to more than 150.00 euros"
    elif old is not None and old["status"] != "submitted":
        why = "your claim for this callout has been decided already"
    if why is not None:
        return {
            "outcome": "refused",
            "answers": {"amount": None, "old_amount": None},
            "reason": "expense_claim_window",
            "message": f"I put in no claim, because {why}.",
        }
    if old is not None:
        tools.withdraw_expense_claim(expense_claim_id=old["id"])
    tools.submit_expense_claim(callout_id=found["id"], amount_cents=amount, description=p["note"])
    message = f"I have put in a claim of {amount / 100:.2f} euros."
    if old is not None:
        message += f" The old one of {old['amount_cents'] / 100:.2f} euros is withdrawn."
    return {
        "outcome": "done",
        "answers": {"amount": amount, "old_amount": None if old is None else old["amount_cents"]},
        "reason": None,
        "message": message,
    }


def goal_has_the_new_claim(world, p):
    """Has one submitted claim of the right sum with the note, or, where the rule forbids it, says it was refused."""
    if p["refused"]:
        return world.report.outcome == "refused"
    row = _old(world.final, _callout(world.initial, p)["id"])
    before = _old(world.initial, _callout(world.initial, p)["id"])
    return (
        row is not None
        and (before is None or before["id"] != row["id"])
        and row["status"] == "submitted"
        and row["amount_cents"] == _sum(p)
        and world.same_text(row["description"], p["note"])
    )


def goal_has_withdrawn_the_old_claim(world, p):
    """Has withdrawn the claim that was still undecided, where there was one."""
    if p["refused"]:
        return world.report.outcome == "refused"
    old = _old(world.initial, _callout(world.initial, p)["id"])
    if old is None:
        return world.report.outcome == "done"
    row = world.final.one("SELECT w.status FROM expense_claims w WHERE w.id = ?", [old["id"]])
    return row is not None and row["status"] == "withdrawn"


def goal_says_the_sum(world, p):
    """Says what the new claim comes to; nothing where it is refused."""
    return world.report.says("amount", None if p["refused"] else _sum(p))


def goal_says_the_old_sum(world, p):
    """Says what the claim withdrawn came to; nothing where none was withdrawn."""
    old = None if p["refused"] else _old(world.initial, _callout(world.initial, p)["id"])
    return world.report.says("old_amount", None if old is None else old["amount_cents"])


def guard_changes_these_claims_only(world, p):
    """Changed nothing but one new claim and the old one withdrawn; nothing at all where it is refused."""
    if p["refused"]:
        return len(world.changes) == 0
    callout = _callout(world.initial, p)
    old = _old(world.initial, callout["id"])
    new = 0
    for change in world.changes:
        before, after = change["before"], change["after"]
        if change["table"] != "expense_claims" or after is None:
            return False
        if before is None:
            new += 1
            if after["member_id"] != 1 or after["callout_id"] != callout["id"]:
                return False
        else:
            changed = {column for column in before if before[column] != after[column]}
            if old is None or before["id"] != old["id"] or not changed <= {"status", "withdrawn_at"}:
                return False
    return new <= 1


def guard_reports_the_right_outcome(world, p):
    """Reports that it is done, or that the rule on claims forbids it."""
    if world.report.outcome is None:
        return True
    if p["refused"]:
        return world.report.outcome == "refused" and world.report.reason == "expense_claim_window"
    return world.report.outcome == "done" and world.report.reason is None
