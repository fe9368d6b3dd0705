import datetime
import re

STORIES = ("Fallen climber", "Party lost in cloud", "Chest pain at the hut", "Stuck abseil", "Walker with cramp", "Missing skier")
SPENDING = ("Petrol", "Diesel", "Bus fare", "Petrol and parking", "Taxi home", "Petrol, and a meal on the way")


def _totals(rows):
    totals = {}
    for row in rows:
        entry = totals.setdefault(row["sector"], {"sum": 0, "paid": 0, "count": 0})
        entry["sum"] += row["cents"]
        entry["paid"] += row["cents"] if row["status"] == "paid" else 0
        entry["count"] += 1
    best = max((entry["sum"] for entry in totals.values()), default=0)
    names = [name for name, entry in totals.items() if entry["sum"] == best]
    return names, totals


def _claims(db, p):
    return db.query(
        "SELECT area.name AS sector, claim.amount_cents AS cents, claim.status AS status FROM expense_claims claim"
        " JOIN callouts call ON call.id = claim.callout_id JOIN sectors area ON area.id = call.sector_id"
        " WHERE claim.member_id = 1 AND claim.status IN ('submitted', 'approved', 'paid')"
        " AND substr(call.opened_at, 1, 10) >= ? ORDER BY claim.id",
        [p["first"]],
    )


def instances(world, rng):
    """Claims of the user for callouts in several sectors, some refused or withdrawn, and a day from which to count."""
    today = datetime.date.fromisoformat(world.clock[:10])
    ids = world.one(
        "SELECT (SELECT max(call.id) FROM callouts call) AS call, (SELECT max(claim.id) FROM expense_claims claim) AS claim,"
        " (SELECT max(part.id) FROM callout_assignments part) AS part, (SELECT max(entry.id) FROM log_entries entry) AS entry"
    )
    highest = max(row["code"] for row in world.query("SELECT call.code FROM callouts call"))
    prefix, digits = re.fullmatch(r"(.*?)(\d+)", highest).groups()
    closed_days = set()
    for row in world.query("SELECT call.opened_at AS a, coalesce(call.closed_at, call.opened_at) AS b FROM callouts call"):
        closed_days |= {row["a"][:10], row["b"][:10]}
    for row in world.query("SELECT duty.starts_at AS a, duty.ends_at AS b FROM duty_shifts duty"):
        closed_days |= {row["a"][:10], row["b"][:10]}
    for row in world.query("SELECT drill.starts_at AS a FROM exercises drill"):
        closed_days.add(row["a"][:10])
    areas = world.query("SELECT area.id, area.name FROM sectors area ORDER BY area.name")
    mates = [row["id"] for row in world.query("SELECT mate.id FROM members mate WHERE mate.id <> 1")]
    days = [today - datetime.timedelta(days=n) for n in range(5, 210)]
    days = [day for day in days if day.isoformat() not in closed_days]
    for _ in range(500):
        first = today - datetime.timedelta(days=rng.randint(60, 180))
        p = {"first": first.isoformat()}
        given = {"callouts": [], "callout_assignments": [], "log_entries": [], "expense_claims": []}
        rows = _claims(world, p)
        chosen = rng.sample(areas, 3)
        for number, day in enumerate(sorted(rng.sample(days, rng.randint(5, 8))), 1):
            area = rng.choice(chosen)
            call_id = ids["call"] + number
            opened = datetime.datetime.combine(day, datetime.time(rng.randint(6, 14), rng.randrange(0, 60, 5)))
            down = opened + datetime.timedelta(minutes=rng.randrange(150, 320, 5))
            given["callouts"].append({
                "id": call_id,
                "code": prefix + str(int(digits) + number).zfill(len(digits)),
                "sector_id": area["id"],
                "reason": rng.choice(STORIES),
                "status": "closed",
                "opened_at": opened.isoformat(),
                "stood_down_at": down.isoformat(),
                "closed_at": (down + datetime.timedelta(minutes=55)).isoformat(),
            })
            entries = []
            for place, mate in enumerate([1] + rng.sample(mates, rng.randint(1, 2))):
                answered = opened + datetime.timedelta(minutes=3 + place)
                out = opened + datetime.timedelta(minutes=28)
                back = down + datetime.timedelta(minutes=18 + 6 * place)
                given["callout_assignments"].append({
                    "id": ids["part"] + len(given["callout_assignments"]) + 1,
                    "callout_id": call_id,
                    "member_id": mate,
                    "status": "back",
                    "answered_at": answered.isoformat(),
                    "sent_out_at": out.isoformat(),
                    "back_at": back.isoformat(),
                })
                entries += [(answered.isoformat(), mate, "answer"), (out.isoformat(), mate, "sent_out"), (back.isoformat(), mate, "back")]
            for moment, mate, kind in sorted(entries):
                given["log_entries"].append({
                    "id": ids["entry"] + len(given["log_entries"]) + 1,
                    "callout_id": call_id,
                    "member_id": mate,
                    "kind": kind,
                    "happened_at": moment,
                    "logged_at": moment,
                    "note": None,
                })
            if rng.random() < 0.1:
                continue
            age = (today - day).days
            status = rng.choice(("submitted", "approved", "paid", "paid", "refused", "withdrawn"))
            if age < 20 and status in ("approved", "paid", "refused"):
                status = "submitted"
            decided = status in ("approved", "paid", "refused")
            cents = rng.randrange(900, 7000, 10)
            step = datetime.timedelta(days=1)
            given["expense_claims"].append({
                "id": ids["claim"] + len(given["expense_claims"]) + 1,
                "member_id": 1,
                "callout_id": call_id,
                "exercise_id": None,
                "amount_cents": cents,
                "description": rng.choice(SPENDING),
                "status": status,
                "submitted_at": (day + step).isoformat() + "T18:20:00",
                "decided_at": (day + 9 * step).isoformat() + "T12:00:00" if decided else None,
                "paid_at": (day + 14 * step).isoformat() + "T09:00:00" if status == "paid" else None,
                "withdrawn_at": (day + 3 * step).isoformat() + "T07:45:00" if status == "withdrawn" else None,
            })
            if day >= first and status in ("submitted", "approved", "paid"):
                rows.append({"sector": area["name"], "cents": cents, "status": status})
        names, totals = _totals(rows)
        if len(names) == 1 and len(totals) >= 2 and len(rows) >= 3 and totals[names[0]]["paid"] != totals[names[0]]["sum"]:
            yield {"p": p, "given": {table: rows for table, rows in given.items() if rows}}


def solve(tools, p):
    rows = []
    for claim in tools.list_my_expense_claims()["expense_claims"]:
        if claim["callout_id"] is None or claim["status"] not in ("submitted", "approved", "paid"):
            continue
        callout = tools.get_callout(callout_id=claim["callout_id"])
        if callout["opened_at"][:10] >= p["first"]:
            rows.append({"sector": callout["sector_name"], "cents": claim["amount_cents"], "status": claim["status"]})
    names, totals = _totals(rows)
    best = totals[names[0]]
    return {
        "outcome": "done",
        "answers": {"sector": names[0], "total": best["sum"], "paid": best["paid"], "claims": best["count"]},
        "reason": None,
        "message": (
            f"{names[0]}: {best['sum'] / 100:.2f} euros altogether, of which {best['paid'] / 100:.2f} euros are paid;"
            f" number of claims: {best['count']}."
        ),
    }


def goal_says_the_sector(world, p):
    """Says for which sector the claims come to most."""
    names, _totals_by_name = _totals(_claims(world.initial, p))
    return world.report.says("sector", names[0])


def goal_says_the_total(world, p):
    """Says what the claims for that sector come to."""
    names, totals = _totals(_claims(world.initial, p))
    return world.report.says("total", totals[names[0]]["sum"])


def goal_says_what_is_paid(world, p):
    """Says how much of it has been paid."""
    names, totals = _totals(_claims(world.initial, p))
    return world.report.says("paid", totals[names[0]]["paid"])


def goal_says_how_many_claims(world, p):
    """Says how many claims these are."""
    names, totals = _totals(_claims(world.initial, p))
    return world.report.says("claims", totals[names[0]]["count"])


def guard_changes_nothing(world, p):
    """Changed nothing at all."""
    return len(world.changes) == 0


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome is None or (world.report.outcome == "done" and world.report.reason is None)
