import datetime

NAMES = (
    "Lantern Makers", "Peat Bog Post", "The Clay Orchestra", "Seven Weirs", "Amber Coast", "Goose Fair",
    "The Tin Whistle Club", "Barge and Bell", "Nettle Kings", "Slate Valley",
)


def _stamp(day, clock):
    return day.isoformat() + "T" + clock


def _available(db, name):
    """The copies of a board game that can be borrowed at once."""
    return db.query(
        "SELECT k.id FROM copies k JOIN titles t ON t.id = k.title_id"
        " WHERE t.kind = 'board_game' AND t.name = ? AND k.status = 'lendable'"
        " AND NOT EXISTS (SELECT 1 FROM loans o WHERE o.copy_id = k.id AND o.status = 'out')"
        " AND NOT EXISTS (SELECT 1 FROM holds w WHERE w.copy_id = k.id AND w.status = 'ready')",
        [name],
    )


def _expected(world, p):
    """The board games to be borrowed, with their copies, by name; empty where a rule forbids it."""
    sums = world.initial.one(
        "SELECT (SELECT count(*) FROM loans WHERE member_id = 1 AND status = 'out') AS out,"
        " 3 + (SELECT count(*) FROM hosting_turns h JOIN club_evenings e ON e.id = h.club_evening_id"
        " WHERE h.member_id = 1 AND h.status = 'carried_out' AND e.starts_at >= ?) AS allowed,"
        " (SELECT coalesce(sum(amount_cents), 0) FROM replacement_charges"
        " WHERE member_id = 1 AND status = 'unpaid') AS owed",
        [p["since"]],
    )
    room = 0 if sums["owed"] > 1000 else max(0, sums["allowed"] - sums["out"])
    found = {}
    for name in p["names"]:
        copies = [row["id"] for row in _available(world.initial, name)]
        if copies and len(found) < room:
            found[name] = copies
    return found


def instances(world, rng):
    """Board games in an order of preference, some on the shelf and some not, and room for none, one or more of them."""
    top = world.one(
        "SELECT (SELECT max(id) FROM titles) AS t, (SELECT max(id) FROM copies) AS c, (SELECT max(id) FROM loans) AS l,"
        " (SELECT max(id) FROM club_evenings) AS e, (SELECT max(id) FROM hosting_turns) AS h,"
        " (SELECT max(id) FROM piece_reports) AS r, (SELECT max(id) FROM replacement_charges) AS x"
    )
    now = datetime.datetime.fromisoformat(world.clock)
    today = now.date()
    since = (now - datetime.timedelta(days=60)).isoformat()
    me = world.one(
        "SELECT (SELECT count(*) FROM loans WHERE member_id = 1 AND status = 'out') AS at_home,"
        " (SELECT coalesce(sum(amount_cents), 0) FROM replacement_charges WHERE member_id = 1 AND status = 'unpaid') AS unpaid,"
        " (SELECT count(*) FROM hosting_turns u JOIN club_evenings v ON v.id = u.club_evening_id"
        " WHERE u.member_id = 1 AND u.status = 'carried_out' AND v.starts_at >= ?) AS turns",
        [since],
    )
    days = {row["day"] for row in world.query("SELECT substr(starts_at, 1, 10) AS day FROM club_evenings")}
    rows = world.query(
        "SELECT t.name FROM titles t WHERE t.kind = 'board_game'"
        " AND NOT EXISTS (SELECT 1 FROM titles n WHERE n.name = t.name AND n.id <> t.id)"
        " AND NOT EXISTS (SELECT 1 FROM holds w WHERE w.title_id = t.id AND w.member_id = 1 AND w.status IN ('waiting', 'ready'))"
        " AND NOT EXISTS (SELECT 1 FROM loans o JOIN copies k ON k.id = o.copy_id"
        " WHERE k.title_id = t.id AND o.member_id = 1 AND o.status = 'out') ORDER BY t.id"
    )
    stock = {row["name"]: len(_available(world, row["name"])) for row in rows}
    there_free = [name for name in stock if stock[name] == 1]
    there_gone = [name for name in stock if stock[name] == 0]
    members = [row["id"] for row in world.query("SELECT id FROM members WHERE id <> 1 ORDER BY id")]
    for _ in range(600):
        given = {"titles": [], "copies": []}
        loans, evenings, turns, reports, charges = [], [], [], [], []
        free, gone = list(there_free), list(there_gone)
        extra = 0
        for i, name in enumerate(rng.sample(NAMES, rng.randint(2, 4))):
            n = i + 1
            state = rng.choice(("free", "free", "free", "out", "mine", "withdrawn"))
            given["titles"].append(
                {"id": top["t"] + n, "name": name, "kind": "board_game", "piece_count": rng.randint(50, 220)}
            )
            given["copies"].append({
                "id": top["c"] + n, "title_id": top["t"] + n, "label": f"N{n}{rng.randint(10, 99)}-1",
                "status": "withdrawn" if state == "withdrawn" else "lendable",
            })
            if state in ("out", "mine"):
                out = today - datetime.timedelta(days=rng.randint(2, 15))
                loans.append({
                    "id": top["l"] + 1 + len(loans), "member_id": 1 if state == "mine" else rng.choice(members), "copy_id": top["c"] + n,
                    "status": "out", "borrowed_at": _stamp(out, "19:40:00"),
                    "due_day": (out + datetime.timedelta(days=21)).isoformat(), "renewals": 0,
                    "returned_at": None, "returned_short": None,
                })
            extra += state == "mine"
            if state != "mine":
                (free if state == "free" else gone).append(name)
        hosted = rng.randint(0, 3)
        pool = [d for d in range(6, 52) if (today - datetime.timedelta(days=d)).isoformat() not in days]
        for i, back in enumerate(rng.sample(pool, hosted)):
            day = today - datetime.timedelta(days=back)
            evenings.append({
                "id": top["e"] + 1 + i, "starts_at": _stamp(day, "19:00:00"), "ends_at": _stamp(day, "22:30:00"),
                "status": "held",
            })
            turns.append({
                "id": top["h"] + 1 + i, "member_id": 1, "club_evening_id": top["e"] + 1 + i, "status": "carried_out",
                "signed_up_at": _stamp(day - datetime.timedelta(days=12), "20:15:00"), "given_back_at": None,
            })
        room = 3 + me["turns"] + hosted - me["at_home"] - extra
        owed = me["unpaid"]
        if rng.random() < 0.2:
            back = today - datetime.timedelta(days=rng.randint(4, 30))
            n = len(given["titles"]) + 1
            title = [x for x in NAMES if all(x != row["name"] for row in given["titles"])][0]
            amount = 10 * rng.randint(35, 75)
            owed += amount
            given["titles"].append({"id": top["t"] + n, "name": title, "kind": "board_game", "piece_count": 118})
            given["copies"].append(
                {"id": top["c"] + n, "title_id": top["t"] + n, "label": f"N{n}{rng.randint(10, 99)}-1", "status": "table_only"}
            )
            moment = _stamp(back, "20:20:00")
            out = back - datetime.timedelta(days=14)
            number = top["l"] + 1 + len(loans)
            loans.append({
                "id": number, "member_id": 1, "copy_id": top["c"] + n, "status": "returned",
                "borrowed_at": _stamp(out, "19:25:00"), "due_day": (out + datetime.timedelta(days=21)).isoformat(),
                "renewals": 0, "returned_at": moment, "returned_short": 1,
            })
            reports.append({
                "id": top["r"] + 1, "copy_id": top["c"] + n, "loan_id": number, "piece": "white pawn",
                "pieces_missing": 1, "status": "open", "reported_at": moment, "resolved_at": None,
            })
            charges.append({
                "id": top["x"] + 1, "member_id": 1, "piece_report_id": top["r"] + 1, "amount_cents": amount,
                "status": "unpaid", "charged_at": moment, "paid_at": None,
            })
        for table, new in (
            ("loans", loans), ("piece_reports", reports), ("replacement_charges", charges),
            ("club_evenings", evenings), ("hosting_turns", turns),
        ):
            if new:
                given[table] = new
        some_free = rng.sample(free, min(len(free), rng.randint(1, 4)))
        some_gone = rng.sample(gone, min(len(gone), rng.randint(0, 2)))
        names = some_free + some_gone
        rng.shuffle(names)
        if len(names) < 3 or not some_free or room < 0:
            continue
        p = {"names": names, "since": since, "due": (today + datetime.timedelta(days=21)).isoformat()}
        if owed > 1000 and room > 0:
            rule = "unpaid_charges_limit"
        elif owed <= 1000 and room == 0:
            rule = "loan_allowance"
        elif owed <= 1000 and min(room, len(some_free)) < len(names):
            rule = None
        else:
            continue
        kind = "refusal" if rule else "action"
        yield {"p": dict(p, kind=kind, rule=rule), "kind": kind, "rule": rule, "given": given}


def solve(tools, p):
    copies = {}
    for name in p["names"]:
        title = next(t for t in tools.search_titles(name=name, kind="board_game")["titles"] if t["name"] == name)
        for copy in tools.get_title(title_id=title["id"])["copies"]:
            if copy["status"] == "lendable" and not copy["is_out"] and not copy["is_kept_for_hold"]:
                copies.setdefault(name, copy["id"])
    me = tools.get_my_profile()
    room = me["loan_allowance"] - me["loans_out"]
    nothing = {"borrowed": None, "due_day": None, "not_borrowed": None}
    if me["unpaid_charges_cents"] > 1000:
        return {
            "outcome": "refused", "answers": nothing, "reason": "unpaid_charges_limit",
            "message": "You owe more than 10.00 euros for missing pieces, so you can't borrow anything until you have paid.",
        }
    if room <= 0:
        return {
            "outcome": "refused", "answers": nothing, "reason": "loan_allowance",
            "message": "You have as many loans out as you are allowed, so you can't borrow any of these now.",
        }
    loans = []
    for name in p["names"]:
        if name in copies and len(loans) < room:
            loans.append(tools.borrow_copy(copy_id=copies[name])["loan"])
    got = [loan["title_name"] for loan in loans]
    rest = [name for name in p["names"] if name not in got]
    due = loans[0]["due_day"]
    return {
        "outcome": "done", "answers": {"borrowed": got, "due_day": due, "not_borrowed": rest}, "reason": None,
        "message": f"I borrowed {', '.join(got)} for you, due on {due}. You didn't get {', '.join(rest)}.",
    }


def goal_borrowed_the_first_that_fit(world, p):
    """Has borrowed the first board games on the list that are on the shelf, as many as are allowed, or declined if none is."""
    found = _expected(world, p)
    if not found:
        return world.report.outcome == "refused"
    for name in found:
        row = world.final.one(
            "SELECT count(*) AS n FROM loans n JOIN copies k ON k.id = n.copy_id JOIN titles t ON t.id = k.title_id"
            " WHERE n.member_id = 1 AND n.status = 'out' AND n.due_day = ? AND t.name = ? AND t.kind = 'board_game'",
            [p["due"], name],
        )
        if row["n"] != 1:
            return False
    return True


def goal_says_borrowed(world, p):
    """Names the board games that were borrowed, or leaves it empty when none may be."""
    found = _expected(world, p)
    if not found:
        return world.report.outcome is not None and world.report.says("borrowed", None)
    return world.report.says("borrowed", list(found))


def goal_says_due_day(world, p):
    """Says when they are due, or leaves it empty when none may be borrowed."""
    found = _expected(world, p)
    if not found:
        return world.report.outcome is not None and world.report.says("due_day", None)
    return world.report.says("due_day", p["due"])


def goal_says_not_borrowed(world, p):
    """Names the board games on the list that were not borrowed, or leaves it empty when none may be borrowed."""
    found = _expected(world, p)
    if not found:
        return world.report.outcome is not None and world.report.says("not_borrowed", None)
    return world.report.says("not_borrowed", [name for name in p["names"] if name not in found])


def guard_adds_those_loans_only(world, p):
    """Changed nothing but one new loan of the user for each of those board games."""
    copies = {number: name for name, numbers in _expected(world, p).items() for number in numbers}
    seen = []
    for change in world.changes:
        after = change["after"]
        if change["table"] != "loans" or change["before"] is not None or after is None:
            return False
        if after["member_id"] != 1 or after["status"] != "out" or after["copy_id"] not in copies:
            return False
        if after["due_day"] != p["due"] or after["renewals"] != 0 or copies[after["copy_id"]] in seen:
            return False
        seen.append(copies[after["copy_id"]])
    return True


def guard_reports_the_right_outcome(world, p):
    """Reports that it is done, or that a rule forbids it, and which one."""
    rule = p["rule"]
    if world.report.outcome is None:
        return True
    return world.report.outcome == ("refused" if rule else "done") and world.report.reason == rule
