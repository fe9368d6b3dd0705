import datetime
import re


def _fitting(db, p):
    rows = db.query(
        "SELECT item.*, (SELECT count(*) FROM inspections r WHERE r.kit_item_id = item.id AND r.kind = 'fall') AS fallen"
        " FROM kit_items item JOIN kit_types ty ON ty.id = item.kit_type_id"
        " WHERE ty.name = ? AND item.status IN ('ready', 'doubtful')"
        " AND (SELECT max(r.happened_on) FROM inspections r WHERE r.kit_item_id = item.id AND r.kind = 'inspection') < ?"
        " ORDER BY item.label",
        [p["gear"], p["before"]],
    )
    failed = [row for row in rows if row["fallen"] >= int(p["falls"])]
    passed = [row for row in rows if row["fallen"] < int(p["falls"])]
    return passed, failed


def instances(world, rng):
    """A kind of kit with items of different falls and inspections, a day and a number of falls."""
    today = datetime.date.fromisoformat(world.clock[:10])
    sorts = world.query("SELECT ty.id AS id, ty.name AS name, ty.most_falls AS limit_of_falls FROM kit_types ty ORDER BY ty.id")
    labels = world.query("SELECT item.id AS id, item.kit_type_id AS sort, item.label AS label FROM kit_items item")
    people = [
        row["member"]
        for row in world.query(
            "SELECT mb.id AS member FROM members mb WHERE mb.id <> 1"
            " AND mb.id NOT IN (SELECT lo.member_id FROM kit_loans lo WHERE lo.status = 'out')"
        )
    ]
    areas = [row["area"] for row in world.query("SELECT se.id AS area FROM sectors se")]
    tops = world.one(
        "SELECT (SELECT max(item.id) FROM kit_items item) AS item, (SELECT max(r.id) FROM inspections r) AS report,"
        " (SELECT max(lo.id) FROM kit_loans lo) AS loan"
    )
    for _ in range(500):
        sort = rng.choice(sorts)
        named = [re.fullmatch(r"(.*?)(\d+)", row["label"]) for row in labels if row["sort"] == sort["id"]]
        if not named or not all(named):
            continue
        prefix, width = named[0].group(1), len(named[0].group(2))
        number = max(int(match.group(2)) for match in named)
        cap = (sort["limit_of_falls"] or 4) - 1
        if cap < 1:
            continue
        p = {
            "gear": sort["name"],
            "before": (today - datetime.timedelta(days=rng.randint(40, 130))).isoformat(),
            "falls": rng.randint(1, min(cap, 3)),
            "today": today.isoformat(),
        }
        items, reports, loans = [], [], []
        passed, failed = [len(rows) for rows in _fitting(world, p)]
        for owner in rng.sample(people, rng.randint(4, 6)):
            item_id = tops["item"] + len(items) + 1
            state = rng.choice(("ready", "ready", "ready", "doubtful", "on_loan"))
            falls = rng.randint(0, cap)
            if state == "doubtful":
                falls = max(falls, 1)
            last = today - datetime.timedelta(days=rng.randint(20, 170))
            after = 1 if state == "doubtful" else 0
            for days in sorted(rng.sample(range(15, 90), falls - after), reverse=True):
                reports.append((last - datetime.timedelta(days=days), item_id, "fall", "doubtful"))
            reports.append((last, item_id, "inspection", "passed"))
            if after:
                reports.append((today - datetime.timedelta(days=rng.randint(2, 15)), item_id, "fall", "doubtful"))
            if state == "on_loan":
                start = today - datetime.timedelta(days=rng.randint(1, 6))
                loans.append((start, item_id, owner, start + datetime.timedelta(days=rng.randint(7, 14))))
            items.append({
                "id": item_id,
                "kit_type_id": sort["id"],
                "label": prefix + str(number + len(items) + 1).zfill(width),
                "bought_on": (today - datetime.timedelta(days=rng.randint(300, 1300))).isoformat(),
                "status": state,
                "retired_at": None,
            })
            if state != "on_loan" and last.isoformat() < p["before"]:
                if falls >= p["falls"]:
                    failed += 1
                else:
                    passed += 1
        if not passed or not failed or passed + failed > 7:
            continue
        given = {"kit_items": items, "inspections": [], "kit_loans": []}
        for day, item_id, what, result in sorted(reports):
            given["inspections"].append({
                "id": tops["report"] + len(given["inspections"]) + 1,
                "kit_item_id": item_id,
                "member_id": rng.choice(people),
                "kind": what,
                "happened_on": day.isoformat(),
                "result": result,
                "sector_id": rng.choice(areas) if what == "fall" else None,
                "reported_at": day.isoformat() + ("T16:45:00" if what == "fall" else "T19:05:00"),
            })
        for start, item_id, owner, due in sorted(loans):
            given["kit_loans"].append({
                "id": tops["loan"] + len(given["kit_loans"]) + 1,
                "member_id": owner,
                "kit_item_id": item_id,
                "status": "out",
                "borrowed_at": start.isoformat() + "T18:15:00",
                "due_day": due.isoformat(),
                "returned_at": None,
            })
        yield {"p": p, "given": {table: rows for table, rows in given.items() if rows}}


def solve(tools, p):
    sort = next(t for t in tools.list_kit_types()["kit_types"] if t["name"] == p["gear"])
    passed, failed = [], []
    for item in tools.search_kit_items(kit_type_id=sort["id"])["kit_items"]:
        if item["status"] not in ("ready", "doubtful"):
            continue
        if item["last_inspected_on"] is None or item["last_inspected_on"] >= p["before"]:
            continue
        bad = tools.get_kit_item(kit_item_id=item["id"])["falls"] >= int(p["falls"])
        tools.report_inspection(
            kit_item_id=item["id"], happened_on=p["today"], result="failed" if bad else "passed"
        )
        (failed if bad else passed).append(item["label"])
    return {
        "outcome": "done",
        "answers": {"passed": passed, "failed": failed},
        "reason": None,
        "message": f"Reported as passed: {', '.join(passed)}. Reported as failed: {', '.join(failed)}.",
    }


def _reported(world, rows, p, result):
    for row in rows:
        new = [
            change["after"] for change in world.changes
            if change["table"] == "inspections" and change["before"] is None
            and change["after"]["kit_item_id"] == row["id"]
        ]
        if len(new) != 1:
            return False
        new = new[0]
        if (new["member_id"], new["kind"], new["happened_on"], new["result"], new["sector_id"]) != (
            1, "inspection", p["today"], result, None,
        ):
            return False
    return len(rows) > 0


def goal_reported_those_that_passed(world, p):
    """Each item that fits with fewer falls has one passed inspection of today more and is ready."""
    passed, _failed = _fitting(world.initial, p)
    ready = all(
        world.final.one("SELECT status FROM kit_items WHERE id = ?", [row["id"]])["status"] == "ready" for row in passed
    )
    return ready and _reported(world, passed, p, "passed")


def goal_reported_those_that_failed(world, p):
    """Each item that fits with so many falls or more has one failed inspection of today more and is retired."""
    _passed, failed = _fitting(world.initial, p)
    gone = all(
        world.final.one("SELECT status FROM kit_items WHERE id = ?", [row["id"]])["status"] == "retired" for row in failed
    )
    return gone and _reported(world, failed, p, "failed")


def goal_says_what_passed(world, p):
    """Says the labels of the items that passed."""
    return world.report.says("passed", [row["label"] for row in _fitting(world.initial, p)[0]])


def goal_says_what_failed(world, p):
    """Says the labels of the items that failed."""
    return world.report.says("failed", [row["label"] for row in _fitting(world.initial, p)[1]])


def guard_changes_these_items_only(world, p):
    """Changed nothing but one new inspection for each of these items, and the state that follows from it."""
    passed, failed = _fitting(world.initial, p)
    passed, failed = [row["id"] for row in passed], [row["id"] for row in failed]
    left = passed + failed
    for change in world.changes:
        before, after = change["before"], change["after"]
        if after is None:
            return False
        if change["table"] == "inspections" and before is None:
            if after["kit_item_id"] not in left:
                return False
            left.remove(after["kit_item_id"])
        elif change["table"] == "kit_items" and before is not None:
            changed = {column for column in before if before[column] != after[column]}
            if before["id"] in passed:
                if changed != {"status"} or after["status"] != "ready":
                    return False
            elif before["id"] not in failed or not changed <= {"status", "retired_at"} or after["status"] != "retired":
                return False
        else:
            return False
    return True


def guard_reports_it_as_done(world, p):
    """Reports that it is done, for no rule forbids it."""
    return world.report.outcome is None or (world.report.outcome == "done" and world.report.reason is None)
