import datetime
import re

NOTES = (
    "Petrol",
    "Petrol and parking",
    "Car to the post and back",
    "Bus and taxi to the post",
    "Diesel for the van",
    "Petrol and motorway toll",
    "Travel to the post",
)
REASONS = (
    "Walker with a sprained ankle",
    "Climbers stuck on a ledge",
    "Light signals seen on the ridge",
    "Two people overdue",
    "Fall on wet rock",
    "Dog in a crevice",
)


def _stamp(day, minutes):
    moment = datetime.datetime.combine(day, datetime.time()) + datetime.timedelta(minutes=minutes)
    return moment.isoformat()


def _wanted(db, first):
    return db.query(
        "SELECT c.id AS id, c.code AS code FROM callouts c"
        " JOIN callout_assignments a ON a.callout_id = c.id AND a.member_id = 1 AND a.status = 'back'"
        " WHERE c.stood_down_at IS NOT NULL AND c.opened_at >= ?"
        " AND NOT EXISTS (SELECT 1 FROM expense_claims e WHERE e.callout_id = c.id AND e.member_id = 1"
        " AND e.status <> 'withdrawn') ORDER BY c.id",
        [first],
    )


def instances(world, rng):
    """Callouts of the last weeks, some of which the user was out on and has not claimed for, and a day to start from."""
    today = datetime.date.fromisoformat(world.clock[:10])
    top = world.one(
        "SELECT (SELECT max(id) FROM callouts) AS callout, (SELECT max(id) FROM callout_assignments) AS assignment,"
        " (SELECT max(id) FROM log_entries) AS entry, (SELECT coalesce(max(id), 0) FROM expense_claims) AS claim"
    )
    codes = [row["code"] for row in world.query("SELECT code FROM callouts ORDER BY code")]
    prefix, digits = re.fullmatch(r"(.*?)(\d+)", codes[-1]).groups()
    busy = {
        row["day"]
        for row in world.query(
            "SELECT substr(opened_at, 1, 10) AS day FROM callouts"
            " UNION SELECT substr(coalesce(stood_down_at, opened_at), 1, 10) FROM callouts"
            " UNION SELECT substr(e.starts_at, 1, 10) FROM exercises e WHERE e.status <> 'cancelled'"
            " UNION SELECT substr(d.starts_at, 1, 10) FROM duty_shifts d"
            " UNION SELECT substr(d.ends_at, 1, 10) FROM duty_shifts d"
        )
    }
    days = [today - datetime.timedelta(days=n) for n in range(4, 58)]
    days = [day for day in days if day.isoformat() not in busy]
    sectors = [row["id"] for row in world.query("SELECT id FROM sectors ORDER BY id")]
    others = [row["id"] for row in world.query("SELECT id FROM members WHERE id <> 1 ORDER BY id")]
    for _ in range(400):
        first = today - datetime.timedelta(days=rng.randint(14, 55))
        count = rng.randint(3, 5)
        if len(days) < count:
            return
        given = {"callouts": [], "callout_assignments": [], "log_entries": [], "expense_claims": []}
        wanted = len(_wanted(world, first.isoformat()))
        unwanted = 0
        for number, day in enumerate(sorted(rng.sample(days, count)), 1):
            callout_id = top["callout"] + number
            start = rng.randrange(6 * 60, 15 * 60, 5)
            down = start + rng.randrange(150, 300, 5)
            role = rng.choice(("plain", "plain", "withdrawn", "claimed", "not_coming", "absent"))
            if day >= first and role in ("plain", "withdrawn"):
                wanted += 1
            else:
                unwanted += 1
            given["callouts"].append({
                "id": callout_id,
                "code": prefix + str(int(digits) + number).zfill(len(digits)),
                "sector_id": rng.choice(sectors),
                "reason": rng.choice(REASONS),
                "status": "closed",
                "opened_at": _stamp(day, start),
                "stood_down_at": _stamp(day, down),
                "closed_at": _stamp(day, down + 60),
            })
            people = [(member, "back") for member in rng.sample(others, 2)]
            if role == "not_coming":
                people.append((1, "not_coming"))
            elif role != "absent":
                people.append((1, "back"))
            entries = []
            for place, (member, status) in enumerate(people):
                answered = start + 5 + place
                out = start + 25 if status == "back" else None
                back = down + 20 + 5 * place if status == "back" else None
                given["callout_assignments"].append({
                    "id": top["assignment"] + len(given["callout_assignments"]) + 1,
                    "callout_id": callout_id,
                    "member_id": member,
                    "status": status,
                    "answered_at": _stamp(day, answered),
                    "sent_out_at": None if out is None else _stamp(day, out),
                    "back_at": None if back is None else _stamp(day, back),
                })
                entries.append((answered, member, "answer"))
                if out is not None:
                    entries.append((out, member, "sent_out"))
                    entries.append((back, member, "back"))
            for minute, member, kind in sorted(entries):
                given["log_entries"].append({
                    "id": top["entry"] + len(given["log_entries"]) + 1,
                    "callout_id": callout_id,
                    "member_id": member,
                    "kind": kind,
                    "happened_at": _stamp(day, minute),
                    "logged_at": _stamp(day, minute),
                    "note": None,
                })
            if role in ("withdrawn", "claimed"):
                status = "withdrawn"
                if role == "claimed":
                    late = (today - day).days >= 12
                    status = rng.choice(("submitted", "approved", "refused", "paid")) if late else "submitted"
                decided = status in ("approved", "refused", "paid")
                given["expense_claims"].append({
                    "id": top["claim"] + len(given["expense_claims"]) + 1,
                    "member_id": 1,
                    "callout_id": callout_id,
                    "exercise_id": None,
                    "amount_cents": rng.randrange(1200, 5000, 10),
                    "description": "Petrol",
                    "status": status,
                    "submitted_at": _stamp(day + datetime.timedelta(days=1), 19 * 60),
                    "decided_at": _stamp(day + datetime.timedelta(days=6), 12 * 60) if decided else None,
                    "paid_at": _stamp(day + datetime.timedelta(days=10), 9 * 60) if status == "paid" else None,
                    "withdrawn_at": _stamp(day + datetime.timedelta(days=2), 8 * 60) if status == "withdrawn" else None,
                })
        if 2 <= wanted <= 6 and unwanted:
            p = {
                "first": first.isoformat(),
                "amount": rng.randrange(900, 6000, 10),
                "note": rng.choice(NOTES),
            }
            yield {"p": p, "given": {table: rows for table, rows in given.items() if rows}}


def solve(tools, p):
    claimed = {
        claim["callout_id"]
        for claim in tools.list_my_expense_claims()["expense_claims"]
        if claim["callout_id"] is not None and claim["status"] != "withdrawn"
    }
    codes = []
    for callout in tools.search_callouts(first_day=p["first"])["callouts"]:
        if callout["stood_down_at"] is None or callout["id"] in claimed:
            continue
        details = tools.get_callout(callout_id=callout["id"])
        if any(a["is_mine"] and a["status"] == "back" for a in details["callout_assignments"]):
            tools.submit_expense_claim(
                callout_id=callout["id"], amount_cents=p["amount"], description=p["note"]
            )
            codes.append(callout["code"])
    total = len(codes) * p["amount"]
    return {
        "outcome": "done",
        "answers": {"claims": len(codes), "total": total, "codes": codes},
        "reason": None,
        "message": (
            f"I have put in {len(codes)} claims, for {', '.join(codes)}, of {total / 100:.2f} euros altogether."
        ),
    }


def goal_has_a_claim_for_each_callout(world, p):
    """Has one new submitted claim, with the amount and the note asked for, for each callout not yet claimed for."""
    wanted = _wanted(world.initial, p["first"])
    for callout in wanted:
        rows = world.final.query(
            "SELECT * FROM expense_claims WHERE member_id = 1 AND callout_id = ? AND status <> 'withdrawn'",
            [callout["id"]],
        )
        if len(rows) != 1:
            return False
        row = rows[0]
        if row["status"] != "submitted" or row["amount_cents"] != p["amount"]:
            return False
        if not world.same_text(row["description"], p["note"]):
            return False
    return len(wanted) > 0


def goal_says_how_many_claims(world, p):
    """Says how many claims were put in."""
    return world.report.says("claims", len(_wanted(world.initial, p["first"])))


def goal_says_the_total(world, p):
    """Says what the new claims come to altogether."""
    return world.report.says("total", len(_wanted(world.initial, p["first"])) * p["amount"])


def goal_says_the_codes(world, p):
    """Says the codes of the callouts claimed for."""
    return world.report.says("codes", [row["code"] for row in _wanted(world.initial, p["first"])])


def guard_adds_these_claims_only(world, p):
    """Changed nothing but one new claim of the user for each of these callouts."""
    left = [row["id"] for row in _wanted(world.initial, p["first"])]
    for change in world.changes:
        row = change["after"]
        if change["table"] != "expense_claims" or change["before"] is not None or row is None:
            return False
        if row["member_id"] != 1 or row["callout_id"] not in left:
            return False
        left.remove(row["callout_id"])
    return True


def guard_reports_it_as_done(world, p):
    """Reports that it is done, for no rule forbids it."""
    return world.report.outcome is None or (world.report.outcome == "done" and world.report.reason is None)
