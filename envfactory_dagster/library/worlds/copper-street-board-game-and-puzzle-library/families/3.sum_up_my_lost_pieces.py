import datetime

NAMES = (
    "Barley Wars", "Clove Harbour", "Driftwood", "Emperor's Kiln", "Frostfair", "The Glovemakers", "Hazel Grove",
    "Iron Ferry", "Juniper Hill", "Kelp and Kin", "Lacework", "Mountain Mail",
)
PIECES = ("orange cube", "ship figure", "gate tile", "coin", "harvest card", "white disc", "lantern token")


def _losses(world, p):
    """What was reported missing from the user's loans in those days, with its charge and how it was settled."""
    return world.initial.query(
        "SELECT w.pieces_missing, u.name, i.status AS copy_status,"
        " (SELECT coalesce(sum(f.amount_cents), 0) FROM replacement_charges f"
        " WHERE f.piece_report_id = w.id AND f.member_id = 1) AS cents,"
        " EXISTS (SELECT 1 FROM spare_parts g WHERE g.piece_report_id = w.id AND g.member_id = 1 AND g.status = 'matched') AS own"
        " FROM piece_reports w JOIN loans b ON b.id = w.loan_id JOIN copies i ON i.id = w.copy_id"
        " JOIN titles u ON u.id = i.title_id WHERE b.member_id = 1"
        " AND substr(w.reported_at, 1, 10) BETWEEN ? AND ? ORDER BY w.reported_at, w.id",
        [p["first"], p["last"]],
    )


def instances(world, rng):
    """Pieces the user lost over the months, replaced by themselves, by others or not yet, and a stretch of days."""
    top = world.one(
        "SELECT (SELECT max(id) FROM replacement_charges) AS f, (SELECT max(id) FROM spare_parts) AS g,"
        " (SELECT max(id) FROM piece_reports) AS w, (SELECT max(id) FROM loans) AS b, (SELECT max(id) FROM copies) AS i,"
        " (SELECT max(id) FROM titles) AS u"
    )
    here = world.query(
        "SELECT u.name, substr(w.reported_at, 1, 10) AS day, i.status FROM piece_reports w JOIN loans b ON b.id = w.loan_id"
        " JOIN copies i ON i.id = w.copy_id JOIN titles u ON u.id = i.title_id WHERE b.member_id = 1 ORDER BY w.id"
    )
    today = datetime.date.fromisoformat(world.clock[:10])
    for _ in range(600):
        titles, copies, loans, reports, charges, parts = [], [], [], [], [], []
        facts = [(r["name"], r["day"], r["status"] == "lendable") for r in here]
        for n, name in enumerate(rng.sample(NAMES, rng.randint(3, 5)), 1):
            back = today - datetime.timedelta(days=rng.randint(25, 300))
            moment = back.isoformat() + f"T20:{rng.randint(10, 49)}:00"
            out = back - datetime.timedelta(days=rng.choice((7, 14, 18)))
            fate = rng.choice(("open", "open", "own", "other", "rejected"))
            settled = fate in ("own", "other")
            later = (back + datetime.timedelta(days=rng.randint(10, 20))).isoformat() + "T19:25:00"
            titles.append({"id": top["u"] + n, "name": name, "kind": "board_game", "piece_count": rng.randint(60, 200)})
            copies.append({
                "id": top["i"] + n, "title_id": top["u"] + n, "label": f"L{n}-{rng.randint(100, 999)}",
                "status": "lendable" if settled else "table_only",
            })
            loans.append({
                "id": top["b"] + n, "member_id": 1, "copy_id": top["i"] + n, "status": "returned",
                "borrowed_at": out.isoformat() + "T19:45:00", "due_day": (out + datetime.timedelta(days=21)).isoformat(),
                "renewals": 0, "returned_at": moment, "returned_short": 1,
            })
            reports.append({
                "id": top["w"] + n, "copy_id": top["i"] + n, "loan_id": top["b"] + n, "piece": rng.choice(PIECES),
                "pieces_missing": rng.choice((1, 1, 2, 3)), "status": "resolved" if settled else "open",
                "reported_at": moment, "resolved_at": later if settled else None,
            })
            charges.append({
                "id": top["f"] + n, "member_id": 1, "piece_report_id": top["w"] + n, "amount_cents": 10 * rng.randint(18, 75),
                "status": "paid", "charged_at": moment,
                "paid_at": (back + datetime.timedelta(days=8)).isoformat() + "T19:30:00",
            })
            if fate != "open":
                parts.append({
                    "id": top["g"] + 1 + len(parts), "member_id": 4 if fate == "other" else 1,
                    "piece_report_id": top["w"] + n, "description": "piece from a spare set",
                    "status": "matched" if settled else "rejected",
                    "offered_at": (back + datetime.timedelta(days=5)).isoformat() + "T18:10:00", "decided_at": later,
                })
            facts.append((name, back.isoformat(), settled))
        first = today - datetime.timedelta(days=rng.randint(90, 320))
        last = first + datetime.timedelta(days=rng.randint(60, 240))
        if last > today:
            continue
        inside = [f for f in facts if first.isoformat() <= f[1] <= last.isoformat()]
        names = [f[0] for f in inside]
        states = {f[2] for f in inside}
        if len(inside) < 3 or len(inside) == len(facts) or len(set(names)) < len(names) or len(states) < 2:
            continue
        given = {
            "titles": titles, "copies": copies, "loans": loans, "piece_reports": reports, "replacement_charges": charges,
        }
        if parts:
            given["spare_parts"] = parts
        yield {"p": {"first": first.isoformat(), "last": last.isoformat()}, "given": given}


def solve(tools, p):
    reports = {
        r["id"]: r for r in tools.list_my_piece_reports()["piece_reports"] if p["first"] <= r["reported_at"][:10] <= p["last"]
    }
    cents = sum(
        c["amount_cents"]
        for c in tools.list_my_replacement_charges()["replacement_charges"]
        if c["piece_report_id"] in reports
    )
    own = {s["piece_report_id"] for s in tools.list_my_spare_parts(status="matched")["spare_parts"]}
    again, still = [], []
    for report in reports.values():
        copy = tools.get_copy(copy_id=report["copy_id"])
        (again if copy["status"] == "lendable" else still).append(report["title_name"])
    pieces = sum(r["pieces_missing"] for r in reports.values())
    settled = sum(1 for number in reports if number in own)
    return {
        "outcome": "done",
        "answers": {
            "pieces_lost": pieces, "charged_total": cents, "lent_again": again, "not_lent_again": still, "settled_by_me": settled,
        },
        "reason": None,
        "message": f"You lost {pieces} pieces and were charged {cents / 100:.2f} euros. {', '.join(again)} can be lent again,"
        f" {', '.join(still)} can't; your own spare parts settled {settled} of these reports.",
    }


def goal_says_pieces_lost(world, p):
    """Says how many pieces the user lost in those days."""
    return world.report.says("pieces_lost", sum(row["pieces_missing"] for row in _losses(world, p)))


def goal_says_charged_total(world, p):
    """Says what was charged for them in all."""
    return world.report.says("charged_total", sum(row["cents"] for row in _losses(world, p)))


def goal_says_lent_again(world, p):
    """Names the titles whose copy can be lent again."""
    return world.report.says("lent_again", [row["name"] for row in _losses(world, p) if row["copy_status"] == "lendable"])


def goal_says_not_lent_again(world, p):
    """Names the titles whose copy can't be lent again."""
    return world.report.says("not_lent_again", [row["name"] for row in _losses(world, p) if row["copy_status"] != "lendable"])


def goal_says_settled_by_me(world, p):
    """Says how many of the losses a spare part of the user made good."""
    return world.report.says("settled_by_me", sum(row["own"] for row in _losses(world, p)))


def guard_changes_nothing(world, p):
    """Changed nothing at all."""
    return len(world.changes) == 0


def guard_reports_it_as_done(world, p):
    """Reports that it is done, without a reason for declining."""
    return world.report.outcome in (None, "done") and world.report.reason is None
