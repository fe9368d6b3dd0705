import datetime

NAMES = (
    "Steam Fair by Night", "Herring Fleet", "The Tulip Auction", "Snow on the Viaduct", "Botanist's Desk",
    "Hot Air Balloons over Bath", "The Map of Rivers", "Cactus House", "Night Train to Inverness", "Old Bookshop",
)


def _best(db, least, most):
    """The jigsaw to be reserved: the most pieces between the limits, never borrowed by the user, and still lent by the club."""
    return db.one(
        "SELECT j.id, j.name, j.piece_count, (SELECT count(*) FROM holds q WHERE q.title_id = j.id AND q.status = 'waiting') AS queue"
        " FROM titles j WHERE j.kind = 'jigsaw' AND j.piece_count BETWEEN ? AND ?"
        " AND NOT EXISTS (SELECT 1 FROM loans l JOIN copies k ON k.id = l.copy_id WHERE l.member_id = 1 AND k.title_id = j.id)"
        " AND EXISTS (SELECT 1 FROM copies k WHERE k.title_id = j.id AND k.status = 'lendable')"
        " ORDER BY j.piece_count DESC LIMIT 1",
        [least, most],
    )


def instances(world, rng):
    """Jigsaws of many sizes, some borrowed before and some no longer lent, and a limit on the number of pieces."""
    top = world.one(
        "SELECT (SELECT max(id) FROM copies) AS copies, (SELECT max(id) FROM titles) AS titles,"
        " (SELECT max(id) FROM holds) AS holds, (SELECT max(id) FROM loans) AS loans,"
        " (SELECT max(id) FROM replacement_charges) AS charges, (SELECT max(id) FROM piece_reports) AS reports"
    )
    today = datetime.date.fromisoformat(world.clock[:10])
    short = world.one(
        "SELECT count(*) AS n FROM loans l JOIN copies k ON k.id = l.copy_id JOIN titles j ON j.id = k.title_id"
        " WHERE l.member_id = 1 AND l.returned_short = 1 AND j.kind = 'jigsaw'"
    )["n"]
    jigsaws = world.query(
        "SELECT j.name, j.piece_count,"
        " EXISTS (SELECT 1 FROM loans l JOIN copies k ON k.id = l.copy_id WHERE l.member_id = 1 AND k.title_id = j.id) AS known,"
        " EXISTS (SELECT 1 FROM copies k WHERE k.title_id = j.id AND k.status = 'lendable') AS lent,"
        " EXISTS (SELECT 1 FROM holds q WHERE q.title_id = j.id AND q.member_id = 1 AND q.status IN ('waiting', 'ready')) AS held"
        " FROM titles j WHERE j.kind = 'jigsaw' ORDER BY j.id"
    )
    members = [row["id"] for row in world.query("SELECT i.id FROM members i WHERE i.id <> 1 ORDER BY i.id")]
    for _ in range(600):
        titles, copies, loans, holds, reports, charges = [], [], [], [], [], []
        facts = [(r["piece_count"], not r["known"] and r["lent"] and not r["held"]) for r in jigsaws]
        lost = short
        names = rng.sample(NAMES, rng.randint(3, 5))
        sizes = rng.sample(range(300, 2001, 50), len(names))
        for i, name in enumerate(names):
            n = i + 1
            state = rng.choice(("shelf", "shelf", "out", "out", "had", "withdrawn"))
            if state == "had" and rng.random() < 0.5:
                state = "short"
            status = {"withdrawn": "withdrawn", "short": "table_only"}.get(state, "lendable")
            titles.append({"id": top["titles"] + n, "name": name, "kind": "jigsaw", "piece_count": sizes[i]})
            copies.append({
                "id": top["copies"] + n, "title_id": top["titles"] + n, "label": f"J{sizes[i]}-{rng.randint(10, 99)}-{n}",
                "status": status,
            })
            if state == "out":
                start = today - datetime.timedelta(days=rng.randint(3, 16))
                loans.append({
                    "id": top["loans"] + 1 + len(loans), "member_id": rng.choice(members), "copy_id": top["copies"] + n,
                    "status": "out", "borrowed_at": start.isoformat() + "T19:35:00",
                    "due_day": (start + datetime.timedelta(days=21)).isoformat(), "renewals": 0,
                    "returned_at": None, "returned_short": None,
                })
                for member in rng.sample(members, rng.randint(0, 3)):
                    if member == loans[-1]["member_id"]:
                        continue
                    placed = today - datetime.timedelta(days=rng.randint(1, 2))
                    holds.append({
                        "id": top["holds"] + 1 + len(holds), "member_id": member, "title_id": top["titles"] + n,
                        "copy_id": None, "status": "waiting",
                        "placed_at": placed.isoformat() + f"T{rng.randint(10, 21)}:{rng.randint(10, 59)}:00",
                        "ready_at": None, "collected_at": None, "expired_at": None, "cancelled_at": None,
                    })
            if state in ("had", "short"):
                back = today - datetime.timedelta(days=rng.randint(8, 160))
                moment = back.isoformat() + "T20:05:00"
                start = back - datetime.timedelta(days=18)
                loans.append({
                    "id": top["loans"] + 1 + len(loans), "member_id": 1, "copy_id": top["copies"] + n, "status": "returned",
                    "borrowed_at": start.isoformat() + "T19:35:00",
                    "due_day": (start + datetime.timedelta(days=21)).isoformat(), "renewals": 0,
                    "returned_at": moment, "returned_short": 1 if state == "short" else 0,
                })
            if state == "short":
                lost += 1
                reports.append({
                    "id": top["reports"] + 1 + len(reports), "copy_id": top["copies"] + n, "loan_id": loans[-1]["id"],
                    "piece": "edge piece, right side", "pieces_missing": 1, "status": "open", "reported_at": moment,
                    "resolved_at": None,
                })
                charges.append({
                    "id": top["charges"] + 1 + len(charges), "member_id": 1, "piece_report_id": reports[-1]["id"],
                    "amount_cents": 50 * rng.randint(6, 12), "status": "paid", "charged_at": moment,
                    "paid_at": (back + datetime.timedelta(days=7)).isoformat() + "T19:20:00",
                })
            facts.append((sizes[i], state in ("shelf", "out")))
        least = 50 * rng.randint(4, 16)
        most = least + 50 * rng.randint(6, 24)
        fits = sorted(count for count, good in facts if good and least <= count <= most)
        if len(fits) < 2 or fits[-1] == fits[-2]:
            continue
        if all(good for count, good in facts if fits[-1] <= count <= most) and all(c <= most for c, _ in facts):
            continue
        given = {}
        for table, rows in (
            ("titles", titles), ("copies", copies), ("loans", loans), ("holds", holds), ("piece_reports", reports),
            ("replacement_charges", charges),
        ):
            if rows:
                given[table] = rows
        rule = "jigsaw_short_returns" if lost >= 2 else None
        kind = "refusal" if rule else "action"
        yield {"p": {"least": least, "most": most, "kind": kind, "rule": rule}, "kind": kind, "rule": rule, "given": given}


def solve(tools, p):
    had = {loan["title_id"] for loan in tools.list_my_loans()["loans"]}
    fits = []
    for title in tools.search_titles(kind="jigsaw")["titles"]:
        if not p["least"] <= title["piece_count"] <= p["most"] or title["id"] in had:
            continue
        whole = tools.get_title(title_id=title["id"])
        if any(copy["status"] == "lendable" for copy in whole["copies"]):
            fits.append(whole)
    if tools.get_my_profile()["jigsaws_returned_short"] >= 2:
        return {
            "outcome": "refused",
            "answers": {"jigsaw": None, "pieces": None, "people_before": None},
            "reason": "jigsaw_short_returns",
            "message": "Two or more of your jigsaws came back with a piece missing, so you can reserve board games only.",
        }
    best = max(fits, key=lambda title: title["piece_count"])
    tools.place_hold(title_id=best["id"])
    return {
        "outcome": "done",
        "answers": {"jigsaw": best["name"], "pieces": best["piece_count"], "people_before": best["waiting_holds"]},
        "reason": None,
        "message": f"I reserved {best['name']} with {best['piece_count']} pieces for you; {best['waiting_holds']} others waited for it before.",
    }


def goal_reserved_the_jigsaw(world, p):
    """The user has one waiting hold on that jigsaw, or it is declined because of the pieces lost."""
    if p["rule"]:
        return world.report.outcome == "refused"
    row = world.final.one(
        "SELECT count(*) AS n FROM holds q WHERE q.member_id = 1 AND q.title_id = ? AND q.status = 'waiting'",
        [_best(world.initial, p["least"], p["most"])["id"]],
    )
    return row["n"] == 1


def goal_says_jigsaw(world, p):
    """Names the jigsaw that was reserved; empty when it is declined."""
    if p["rule"]:
        return world.report.outcome is not None and world.report.says("jigsaw", None)
    return world.report.says("jigsaw", _best(world.initial, p["least"], p["most"])["name"])


def goal_says_pieces(world, p):
    """Says how many pieces it has; empty when it is declined."""
    if p["rule"]:
        return world.report.outcome is not None and world.report.says("pieces", None)
    return world.report.says("pieces", _best(world.initial, p["least"], p["most"])["piece_count"])


def goal_says_people_before(world, p):
    """Says how many others were waiting for it before; empty when it is declined."""
    if p["rule"]:
        return world.report.outcome is not None and world.report.says("people_before", None)
    return world.report.says("people_before", _best(world.initial, p["least"], p["most"])["queue"])


def guard_adds_one_hold_only(world, p):
    """Changed nothing but one new waiting hold of the user on that jigsaw."""
    if p["rule"]:
        return len(world.changes) == 0
    best = _best(world.initial, p["least"], p["most"])
    for change in world.changes:
        after = change["after"]
        if change["table"] != "holds" or change["before"] is not None or after is None:
            return False
        if after["member_id"] != 1 or after["title_id"] != best["id"] or after["status"] != "waiting":
            return False
        if after["copy_id"] is not None:
            return False
    return len(world.changes) <= 1


def guard_reports_the_right_outcome(world, p):
    """Reports that it is done, or that the rule on jigsaws returned short forbids it."""
    if world.report.outcome is None:
        return True
    return world.report.outcome == ("refused" if p["rule"] else "done") and world.report.reason == p["rule"]
