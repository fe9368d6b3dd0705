import datetime

NAMES = (
    "Acorn Express", "Bell Founders", "The Dovecote", "Eel Pie Island", "Fog on the Fen", "Granite and Gorse",
    "Heron Lake", "The Inkmaker", "Jackdaw Thieves", "Lock Keepers",
)
PIECES = ("green cubes", "wooden cart", "small bridge", "sheep figure", "round token", "blue barrel", "wall section")
OFFERS = (
    "new piece cut from birch plywood and painted to match", "piece cast in resin from a mould of the other ones",
    "piece carved from lime wood and waxed", "piece printed in grey plastic", "piece turned from beech on my lathe",
    "piece cut from 3 mm card and varnished", "piece from an old set of my uncle's", "piece sawn from oak, left unpainted",
    "piece modelled in clay and fired", "piece made of brass wire and solder", "piece found at the flea market",
    "piece sewn from felt with a lead weight inside",
)


def _reports(world, p):
    """The open reports on the user's loans, with whether a part is to be offered for them."""
    return world.initial.query(
        "SELECT d.id, d.pieces_missing, v.name, (d.pieces_missing <= ? AND NOT EXISTS (SELECT 1 FROM spare_parts o"
        " WHERE o.piece_report_id = d.id AND o.member_id = 1 AND o.status = 'offered')) AS wanted"
        " FROM piece_reports d JOIN loans n ON n.id = d.loan_id JOIN copies e ON e.id = d.copy_id"
        " JOIN titles v ON v.id = e.title_id WHERE n.member_id = 1 AND d.status = 'open' ORDER BY d.reported_at, d.id",
        [p["most"]],
    )


def instances(world, rng):
    """Pieces the user lost, few or many at a time, with parts offered, rejected or matched for some, and a part to offer."""
    top = world.one(
        "SELECT (SELECT max(id) FROM spare_parts) AS part, (SELECT max(id) FROM piece_reports) AS report,"
        " (SELECT max(id) FROM replacement_charges) AS charge, (SELECT max(id) FROM loans) AS loan,"
        " (SELECT max(id) FROM copies) AS copy, (SELECT max(id) FROM titles) AS title"
    )
    here = world.query(
        "SELECT v.name, d.pieces_missing, EXISTS (SELECT 1 FROM spare_parts o WHERE o.member_id = 1 AND o.status = 'offered'"
        " AND o.piece_report_id = d.id) AS offered FROM piece_reports d JOIN loans n ON n.id = d.loan_id"
        " JOIN copies e ON e.id = d.copy_id JOIN titles v ON v.id = e.title_id WHERE n.member_id = 1 AND d.status = 'open'"
    )
    today = datetime.date.fromisoformat(world.clock[:10])
    for _ in range(600):
        titles, copies, loans, reports, charges, parts = [], [], [], [], [], []
        facts = [(r["name"], r["pieces_missing"], bool(r["offered"])) for r in here]
        for i, name in enumerate(rng.sample(NAMES, rng.randint(3, 5))):
            n = i + 1
            back = today - datetime.timedelta(days=rng.randint(20, 170))
            moment = back.isoformat() + f"T20:{rng.randint(10, 49)}:00"
            out = back - datetime.timedelta(days=rng.choice((7, 14, 19)))
            missing = rng.choice((1, 1, 1, 2, 2, 3, 4))
            fate = rng.choice(("open", "open", "open", "offered", "rejected", "other", "matched"))
            open_still = fate != "matched"
            decided = (back + datetime.timedelta(days=12)).isoformat() + "T19:10:00"
            titles.append(
                {"id": top["title"] + n, "name": name, "kind": "board_game", "piece_count": rng.randint(70, 210)}
            )
            copies.append({
                "id": top["copy"] + n, "title_id": top["title"] + n, "label": f"M{n}-{rng.randint(100, 999)}",
                "status": "table_only" if open_still else "lendable",
            })
            loans.append({
                "id": top["loan"] + n, "member_id": 1, "copy_id": top["copy"] + n, "status": "returned",
                "borrowed_at": out.isoformat() + "T19:15:00", "due_day": (out + datetime.timedelta(days=21)).isoformat(),
                "renewals": 0, "returned_at": moment, "returned_short": 1,
            })
            reports.append({
                "id": top["report"] + n, "copy_id": top["copy"] + n, "loan_id": top["loan"] + n, "piece": rng.choice(PIECES),
                "pieces_missing": missing, "status": "open" if open_still else "resolved", "reported_at": moment,
                "resolved_at": None if open_still else decided,
            })
            charges.append({
                "id": top["charge"] + n, "member_id": 1, "piece_report_id": top["report"] + n,
                "amount_cents": 10 * rng.randint(20, 60), "status": "paid", "charged_at": moment,
                "paid_at": (back + datetime.timedelta(days=7)).isoformat() + "T19:05:00",
            })
            if fate != "open":
                waiting = fate in ("offered", "other")
                parts.append({
                    "id": top["part"] + 1 + len(parts), "member_id": 3 if fate == "other" else 1,
                    "piece_report_id": top["report"] + n, "description": "spare from a second-hand set",
                    "status": "offered" if waiting else fate,
                    "offered_at": (back + datetime.timedelta(days=6)).isoformat() + "T18:45:00",
                    "decided_at": None if waiting else decided,
                })
            if open_still:
                facts.append((name, missing, fate == "offered"))
        most = rng.randint(1, 3)
        wanted = [f for f in facts if f[1] <= most and not f[2]]
        if len(wanted) < 2 or len(facts) - len(wanted) < 1 or not any(f[1] > most for f in facts):
            continue
        given = {
            "titles": titles, "copies": copies, "loans": loans, "piece_reports": reports, "replacement_charges": charges,
        }
        if parts:
            given["spare_parts"] = parts
        yield {"p": {"most": most, "offer": rng.choice(OFFERS)}, "given": given}


def solve(tools, p):
    waiting = {s["piece_report_id"] for s in tools.list_my_spare_parts(status="offered")["spare_parts"]}
    offered, rest, pieces = [], [], 0
    for report in tools.list_my_piece_reports(status="open")["piece_reports"]:
        if report["pieces_missing"] > p["most"] or report["id"] in waiting:
            rest.append(report["title_name"])
            continue
        tools.offer_spare_part(piece_report_id=report["id"], description=p["offer"])
        offered.append(report["title_name"])
        pieces += report["pieces_missing"]
    return {
        "outcome": "done",
        "answers": {"offered_for": offered, "pieces_to_make": pieces, "not_offered_for": rest},
        "reason": None,
        "message": f"I offered a part for {', '.join(offered)}, where {pieces} pieces are missing in all,"
        f" and none for {', '.join(rest)}.",
    }


def goal_offered_for_all_that_fit(world, p):
    """A part with the words of the user is offered once for every report that fits."""
    wanted = [row for row in _reports(world, p) if row["wanted"]]
    for row in wanted:
        new = [
            c["after"] for c in world.changes
            if c["table"] == "spare_parts" and c["before"] is None and c["after"]["piece_report_id"] == row["id"]
        ]
        if len(new) != 1 or new[0]["status"] != "offered" or not world.same_text(new[0]["description"], p["offer"]):
            return False
    return len(wanted) > 0


def goal_says_offered_for(world, p):
    """Names the titles for which a part was offered."""
    return world.report.says("offered_for", [row["name"] for row in _reports(world, p) if row["wanted"]])


def goal_says_pieces_to_make(world, p):
    """Says how many pieces are missing there in all."""
    return world.report.says("pieces_to_make", sum(row["pieces_missing"] for row in _reports(world, p) if row["wanted"]))


def goal_says_not_offered_for(world, p):
    """Names the other titles from which something the user lost is still missing."""
    return world.report.says("not_offered_for", [row["name"] for row in _reports(world, p) if not row["wanted"]])


def guard_adds_those_offers_only(world, p):
    """Changed nothing but one new offer of the user, in their words, for each of those reports."""
    wanted = {row["id"] for row in _reports(world, p) if row["wanted"]}
    seen = set()
    for change in world.changes:
        after = change["after"]
        if change["table"] != "spare_parts" or change["before"] is not None or after is None:
            return False
        if after["member_id"] != 1 or after["status"] != "offered" or after["decided_at"] is not None:
            return False
        if after["piece_report_id"] not in wanted or after["piece_report_id"] in seen:
            return False
        if not world.same_text(after["description"], p["offer"]):
            return False
        seen.add(after["piece_report_id"])
    return True


def guard_reports_it_as_done(world, p):
    """Reports that it is done, without a reason for declining."""
    return world.report.outcome in (None, "done") and world.report.reason is None
