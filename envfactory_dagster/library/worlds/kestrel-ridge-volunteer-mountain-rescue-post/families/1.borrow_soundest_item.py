import datetime
import re


def _day(text):
    return datetime.date.fromisoformat(text)


def _best(db, kind, today):
    oldest = (_day(today) - datetime.timedelta(days=180)).isoformat()
    rows = db.query(
        "SELECT k.id AS id, k.label AS label, k.bought_on AS bought_on,"
        " (SELECT count(*) FROM inspections f WHERE f.kit_item_id = k.id AND f.kind = 'fall') AS falls,"
        " (SELECT i.happened_on FROM inspections i WHERE i.kit_item_id = k.id AND i.kind = 'inspection'"
        " ORDER BY i.happened_on DESC, i.id DESC LIMIT 1) AS inspected_on,"
        " (SELECT i.result FROM inspections i WHERE i.kit_item_id = k.id AND i.kind = 'inspection'"
        " ORDER BY i.happened_on DESC, i.id DESC LIMIT 1) AS result"
        " FROM kit_items k JOIN kit_types t ON t.id = k.kit_type_id"
        " WHERE t.name = ? AND k.status = 'ready' ORDER BY k.id",
        [kind],
    )
    rows = [row for row in rows if row["result"] == "passed" and row["inspected_on"] >= oldest]
    rows.sort(key=lambda row: row["bought_on"], reverse=True)
    rows.sort(key=lambda row: row["falls"])
    return rows


def instances(world, rng):
    """A kind of kit with several items in different states, and a day until which one is to be borrowed."""
    now = datetime.datetime.fromisoformat(world.clock[:19])
    today = now.date()
    kinds = world.query("SELECT id, name, most_falls, most_years FROM kit_types ORDER BY name")
    stock = world.query("SELECT id, kit_type_id, label FROM kit_items ORDER BY label")
    others = [
        row["id"]
        for row in world.query(
            "SELECT m.id AS id FROM members m WHERE m.id > 1"
            " AND NOT EXISTS (SELECT 1 FROM kit_loans l WHERE l.member_id = m.id AND l.status = 'out') ORDER BY m.id"
        )
    ]
    places = [row["id"] for row in world.query("SELECT s.id FROM sectors s ORDER BY s.id")]
    top_loan = world.one("SELECT coalesce(max(id), 0) AS n FROM kit_loans")["n"]
    top_report = world.one("SELECT coalesce(max(id), 0) AS n FROM inspections")["n"]
    mine = world.query("SELECT id, due_day FROM kit_loans WHERE member_id = 1 AND status = 'out'")
    if len(mine) >= 4 or any(loan["due_day"] < today.isoformat() for loan in mine):
        return
    top_item = max(item["id"] for item in stock)
    for _ in range(400):
        kind = rng.choice(kinds)
        labels = [item["label"] for item in stock if item["kit_type_id"] == kind["id"]]
        parts = [re.fullmatch(r"(.*?)(\d+)", label) for label in labels]
        if not labels or not all(parts):
            continue
        prefix, width = parts[-1].group(1), len(parts[-1].group(2))
        number = max(int(part.group(2)) for part in parts)
        items, reports, loans = [], [], []

        def add(state, falls, owner, due):
            bought = today - datetime.timedelta(days=rng.randint(420, 1400))
            last = today - datetime.timedelta(days=rng.randint(190, 260) if state == "stale" else rng.randint(20, 170))
            item_id = top_item + len(items) + 1
            items.append({
                "id": item_id,
                "kit_type_id": kind["id"],
                "label": prefix + str(number + len(items) + 1).zfill(width),
                "bought_on": bought.isoformat(),
                "status": {"stale": "ready", "loan": "on_loan"}.get(state, state),
                "retired_at": None,
            })
            when = sorted(rng.sample(range(20, 100), falls))
            for days in reversed(when):
                reports.append((last - datetime.timedelta(days=days), item_id, "fall", "doubtful"))
            reports.append((last, item_id, "inspection", "passed"))
            if state == "doubtful":
                reports.append((today - datetime.timedelta(days=rng.randint(3, 15)), item_id, "fall", "doubtful"))
            if state == "loan":
                start = min(due - datetime.timedelta(days=rng.randint(5, 14)), today - datetime.timedelta(days=1))
                loans.append((start, item_id, owner, due))

        limit = kind["most_falls"] or 3
        owners = rng.sample(others, 5)
        for owner in owners[: rng.randint(3, 5)]:
            state = rng.choice(("ready", "ready", "ready", "stale", "doubtful", "loan"))
            falls = rng.randint(0, max(0, limit - (2 if state == "doubtful" else 1)))
            add(state, falls, owner, today + datetime.timedelta(days=rng.randint(1, 9)))
        case = rng.choice(("done", "done", "done", "done", "done", "done", "long", "overdue", "full"))
        until = today + datetime.timedelta(days=rng.randint(16, 30) if case == "long" else rng.randint(2, 13))
        if case == "overdue":
            add("loan", 0, 1, today - datetime.timedelta(days=rng.randint(1, 5)))
        if case == "full":
            for _place in range(4 - len(mine)):
                add("loan", 0, 1, today + datetime.timedelta(days=rng.randint(1, 8)))
        free = []
        for item in items:
            seen = [r for r in reports if r[1] == item["id"]]
            last = max(r[0] for r in seen if r[2] == "inspection")
            if item["status"] == "ready" and last >= today - datetime.timedelta(days=180):
                free.append((sum(r[2] == "fall" for r in seen), item["bought_on"]))
        free += [(row["falls"], row["bought_on"]) for row in _best(world, kind["name"], today.isoformat())]
        if len(free) < 2:
            continue
        least = min(entry[0] for entry in free)
        newest = max(entry[1] for entry in free if entry[0] == least)
        if free.count((least, newest)) != 1:
            continue
        given = {"kit_items": items, "inspections": [], "kit_loans": []}
        for day, item_id, what, result in sorted(reports):
            given["inspections"].append({
                "id": top_report + len(given["inspections"]) + 1,
                "kit_item_id": item_id,
                "member_id": rng.choice(others),
                "kind": what,
                "happened_on": day.isoformat(),
                "result": result,
                "sector_id": rng.choice(places) if what == "fall" else None,
                "reported_at": day.isoformat() + ("T17:10:00" if what == "fall" else "T18:20:00"),
            })
        for start, item_id, owner, due in sorted(loans):
            given["kit_loans"].append({
                "id": top_loan + len(given["kit_loans"]) + 1,
                "member_id": owner,
                "kit_item_id": item_id,
                "status": "out",
                "borrowed_at": start.isoformat() + "T18:40:00",
                "due_day": due.isoformat(),
                "returned_at": None,
            })
        instance = {
            "p": {
                "gear": kind["name"],
                "until": until.isoformat(),
                "today": today.isoformat(),
                "refused": case != "done",
            },
            "given": {table: rows for table, rows in given.items() if rows},
        }
        if case != "done":
            instance["kind"] = instance["p"]["kind"] = "refusal"
            instance["rule"] = instance["p"]["rule"] = "kit_loan_limits"
        yield instance


def solve(tools, p):
    today, until = _day(p["today"]), _day(p["until"])
    me = tools.get_my_profile()
    kind = next(t for t in tools.list_kit_types()["kit_types"] if t["name"] == p["gear"])
    ready = tools.search_kit_items(kit_type_id=kind["id"], status="ready")["kit_items"]
    why = None
    if me["kit_items_overdue"] > 0:
        why = "you still have kit that is overdue"
    elif me["kit_items_on_loan"] >= 4:
        why = "you have 4 things on loan already"
    elif (until - today).days > 14:
        why = "kit is lent for at most 14 days"
    if why is not None:
        return {
            "outcome": "refused",
            "answers": {"label": None, "falls": None, "inspected_on": None},
            "reason": "kit_loan_limits",
            "message": f"I could not borrow anything for you, because {why}.",
        }
    choices = []
    for item in ready:
        if item["last_inspection_result"] != "passed":
            continue
        if (today - _day(item["last_inspected_on"])).days > 180:
            continue
        choices.append(tools.get_kit_item(kit_item_id=item["id"]))
    choices.sort(key=lambda item: item["bought_on"], reverse=True)
    choices.sort(key=lambda item: item["falls"])
    best = choices[0]
    tools.borrow_kit_item(kit_item_id=best["id"], due_day=p["until"])
    return {
        "outcome": "done",
        "answers": {
            "label": best["label"],
            "falls": best["falls"],
            "inspected_on": best["last_inspected_on"],
        },
        "reason": None,
        "message": (
            f"I have borrowed {best['label']} for you until {p['until']}; number of falls: {best['falls']},"
            f" last inspected on {best['last_inspected_on']}."
        ),
    }


def goal_has_it_on_loan(world, p):
    """Has the soundest item on loan until the day asked for, or, where the rule forbids it, says that it was refused."""
    if p["refused"]:
        return world.report.outcome == "refused"
    best = _best(world.initial, p["gear"], p["today"])[0]
    rows = world.final.query(
        "SELECT l.due_day AS due_day, l.member_id AS member_id, k.status AS status FROM kit_loans l"
        " JOIN kit_items k ON k.id = l.kit_item_id WHERE l.kit_item_id = ? AND l.status = 'out'",
        [best["id"]],
    )
    return [(r["due_day"], r["member_id"], r["status"]) for r in rows] == [(p["until"], 1, "on_loan")]


def goal_says_the_label(world, p):
    """Says the label of the item borrowed; nothing where it is refused."""
    best = _best(world.initial, p["gear"], p["today"])[0]
    return world.report.says("label", None if p["refused"] else best["label"])


def goal_says_the_falls(world, p):
    """Says how many falls the item has taken; nothing where it is refused."""
    best = _best(world.initial, p["gear"], p["today"])[0]
    return world.report.says("falls", None if p["refused"] else best["falls"])


def goal_says_the_last_inspection(world, p):
    """Says when the item was last inspected; nothing where it is refused."""
    best = _best(world.initial, p["gear"], p["today"])[0]
    return world.report.says("inspected_on", None if p["refused"] else best["inspected_on"])


def guard_changes_this_loan_only(world, p):
    """Changed nothing but one new loan of the user and the state of the item borrowed; nothing where it is refused."""
    if p["refused"]:
        return len(world.changes) == 0
    best = _best(world.initial, p["gear"], p["today"])[0]
    new = 0
    for change in world.changes:
        before, after = change["before"], change["after"]
        if after is None:
            return False
        if change["table"] == "kit_loans" and before is None:
            new += 1
            if after["kit_item_id"] != best["id"] or after["member_id"] != 1:
                return False
        elif change["table"] == "kit_items" and before is not None:
            if before["id"] != best["id"]:
                return False
            if any(before[column] != after[column] for column in before if column != "status"):
                return False
        else:
            return False
    return new <= 1


def guard_reports_the_right_outcome(world, p):
    """Reports that it is done, or that the rule on loans forbids it."""
    if world.report.outcome is None:
        return True
    if p["refused"]:
        return world.report.outcome == "refused" and world.report.reason == "kit_loan_limits"
    return world.report.outcome == "done" and world.report.reason is None
