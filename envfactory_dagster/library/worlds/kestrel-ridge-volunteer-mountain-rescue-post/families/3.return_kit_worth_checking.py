import datetime
import re


def _loans(db, p):
    rows = db.query(
        "SELECT b.id AS id, b.kit_item_id AS kit_item_id, b.due_day AS due_day, t.label AS label,"
        " (SELECT max(c.happened_on) FROM inspections c WHERE c.kit_item_id = t.id AND c.kind = 'inspection') AS checked,"
        " (SELECT count(*) FROM inspections c WHERE c.kit_item_id = t.id AND c.kind = 'fall') AS falls,"
        " (SELECT c.result FROM inspections c WHERE c.kit_item_id = t.id ORDER BY c.reported_at DESC, c.id DESC LIMIT 1)"
        " AS latest"
        " FROM kit_loans b JOIN kit_items t ON t.id = b.kit_item_id"
        " WHERE b.member_id = 1 AND b.status = 'out' ORDER BY b.id"
    )
    return [row for row in rows if _due_for_check(row["checked"], row["due_day"], row["falls"], p)]


def _due_for_check(checked, due_day, falls, p):
    age = datetime.date.fromisoformat(due_day) - datetime.date.fromisoformat(checked)
    return age.days > int(p["days"]) or falls >= int(p["falls"])


def instances(world, rng):
    """Kit on loan to the user, inspected more or less long ago and with more or fewer falls."""
    today = datetime.date.fromisoformat(world.clock[:10])
    mine = world.query(
        "SELECT b.kit_item_id AS item, b.due_day AS due_day, b.borrowed_at AS since, y.most_falls AS cap,"
        " (SELECT max(c.happened_on) FROM inspections c WHERE c.kit_item_id = t.id AND c.kind = 'inspection') AS checked,"
        " (SELECT count(*) FROM inspections c WHERE c.kit_item_id = t.id AND c.kind = 'fall') AS falls"
        " FROM kit_loans b JOIN kit_items t ON t.id = b.kit_item_id JOIN kit_types y ON y.id = t.kit_type_id"
        " WHERE b.member_id = 1 AND b.status = 'out'"
    )
    kinds = world.query("SELECT y.id, y.most_falls AS cap FROM kit_types y")
    stock = world.query("SELECT t.id, t.kit_type_id AS kind, t.label FROM kit_items t")
    tops = world.one(
        "SELECT (SELECT max(t.id) FROM kit_items t) AS item, (SELECT max(b.id) FROM kit_loans b) AS loan,"
        " (SELECT max(c.id) FROM inspections c) AS report"
    )
    crew = [row["id"] for row in world.query("SELECT u.id FROM members u WHERE u.id BETWEEN 2 AND 12")]
    crags = [row["id"] for row in world.query("SELECT u.id FROM sectors u ORDER BY u.name DESC")]
    for _ in range(500):
        p = {"days": rng.randint(45, 150), "falls": rng.randint(1, 3)}
        state = [dict(row) for row in mine]
        given = {"kit_items": [], "inspections": [], "kit_loans": []}
        reports = []
        if len(mine) < 4 and rng.random() < 0.85:
            kind = rng.choice(kinds)
            named = [re.fullmatch(r"(.*?)(\d+)", row["label"]) for row in stock if row["kind"] == kind["id"]]
            if not named or not all(named):
                continue
            since = today - datetime.timedelta(days=rng.randint(1, 4))
            due = today + datetime.timedelta(days=rng.randint(1, 9))
            checked = today - datetime.timedelta(days=rng.randint(10, 160))
            falls = rng.randint(0, min(2, (kind["cap"] or 4) - 1))
            number = max(int(match.group(2)) for match in named) + 1
            given["kit_items"].append({
                "id": tops["item"] + 1,
                "kit_type_id": kind["id"],
                "label": named[0].group(1) + str(number).zfill(len(named[0].group(2))),
                "bought_on": (today - datetime.timedelta(days=rng.randint(320, 900))).isoformat(),
                "status": "on_loan",
                "retired_at": None,
            })
            given["kit_loans"].append({
                "id": tops["loan"] + 1,
                "member_id": 1,
                "kit_item_id": tops["item"] + 1,
                "status": "out",
                "borrowed_at": since.isoformat() + "T07:20:00",
                "due_day": due.isoformat(),
                "returned_at": None,
            })
            for days in rng.sample(range(5, 100), falls):
                reports.append((checked - datetime.timedelta(days=days), tops["item"] + 1, rng.choice(crew), "fall"))
            reports.append((checked, tops["item"] + 1, rng.choice(crew), "inspection"))
            state.append({
                "item": tops["item"] + 1,
                "due_day": due.isoformat(),
                "since": since.isoformat(),
                "cap": kind["cap"],
                "checked": checked.isoformat(),
                "falls": falls,
            })
        for row in state:
            first = datetime.date.fromisoformat(row["since"][:10])
            span = (today - first).days - 1
            room = (row["cap"] or 4) - 1 - row["falls"]
            if span < 1 or room < 1 or rng.random() < 0.6:
                continue
            for days in rng.sample(range(1, span + 1), min(span, rng.randint(1, min(room, 2)))):
                reports.append((first + datetime.timedelta(days=days), row["item"], 1, "fall"))
                row["falls"] += 1
        picked = [_due_for_check(row["checked"], row["due_day"], row["falls"], p) for row in state]
        if len(state) < 3 or all(picked) or not any(picked):
            continue
        for day, item, member, what in sorted(reports):
            given["inspections"].append({
                "id": tops["report"] + len(given["inspections"]) + 1,
                "kit_item_id": item,
                "member_id": member,
                "kind": what,
                "happened_on": day.isoformat(),
                "result": "doubtful" if what == "fall" else "passed",
                "sector_id": rng.choice(crags) if what == "fall" else None,
                "reported_at": day.isoformat() + "T20:30:00",
            })
        yield {"p": p, "given": {table: rows for table, rows in given.items() if rows}}


def solve(tools, p):
    labels, doubtful = [], 0
    for loan in tools.list_my_kit_loans(status="out")["kit_loans"]:
        item = tools.get_kit_item(kit_item_id=loan["kit_item_id"])
        if _due_for_check(item["last_inspected_on"], loan["due_day"], item["falls"], p):
            back = tools.return_kit_item(kit_loan_id=loan["id"])
            labels.append(loan["label"])
            doubtful += back["kit_item"]["status"] == "doubtful"
    return {
        "outcome": "done",
        "answers": {"returned": labels, "doubtful": doubtful},
        "reason": None,
        "message": f"I have returned {', '.join(labels)}; number of these that are doubtful now: {doubtful}.",
    }


def goal_returned_what_fits(world, p):
    """Every loan that fits is returned, and its item is back, doubtful where its last report makes it so."""
    rows = _loans(world.initial, p)
    for row in rows:
        loan = world.final.one("SELECT b.status, b.returned_at FROM kit_loans b WHERE b.id = ?", [row["id"]])
        item = world.final.one("SELECT t.status FROM kit_items t WHERE t.id = ?", [row["kit_item_id"]])
        if loan["status"] != "returned" or loan["returned_at"] is None:
            return False
        if item["status"] != ("doubtful" if row["latest"] == "doubtful" else "ready"):
            return False
    return len(rows) > 0


def goal_says_what_was_returned(world, p):
    """Says the labels of the things returned."""
    return world.report.says("returned", [row["label"] for row in _loans(world.initial, p)])


def goal_says_how_many_are_doubtful(world, p):
    """Says how many of the things returned are doubtful."""
    return world.report.says("doubtful", sum(row["latest"] == "doubtful" for row in _loans(world.initial, p)))


def guard_changes_these_loans_only(world, p):
    """Changed nothing but these loans and the state of their items."""
    rows = _loans(world.initial, p)
    loans, items = {row["id"] for row in rows}, {row["kit_item_id"] for row in rows}
    for change in world.changes:
        before, after = change["before"], change["after"]
        if before is None or after is None:
            return False
        changed = {column for column in before if before[column] != after[column]}
        if change["table"] == "kit_loans":
            if before["id"] not in loans or not changed <= {"status", "returned_at"}:
                return False
        elif change["table"] == "kit_items":
            if before["id"] not in items or changed != {"status"}:
                return False
        else:
            return False
    return True


def guard_reports_it_as_done(world, p):
    """Reports that it is done, for no rule forbids it."""
    return world.report.outcome is None or (world.report.outcome == "done" and world.report.reason is None)
