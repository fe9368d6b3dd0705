import datetime

FOLK = ("Agnes Pothier", "Burt Quinlan", "Celia Romkey", "Dwight Sarty", "Elsie Tanner", "Foster Uhlman", "Gwen Verge", "Homer Weagle", "Ina Xidos", "Judson Young", "Kay Zinck", "Leander Amiro", "Maude Burgoyne", "Nelson Crowell")
LANES = ("Chappell Street, Dartmouth", "Deal Street, Halifax", "Emscote Drive, Halifax", "Farquharson Street, Dartmouth", "Golf Links Road, Bedford", "Hines Road, Eastern Passage")
CARE = (("bed", 13, ("electrical_test",)), ("hoist", 13, ("electrical_test", "load_test")), ("pressure mattress", 8, ("electrical_test",)), ("wheelchair", 6, ()), ("commode", 12, ()), ("syringe pump", 4, ("calibration",)))
SPANS = (("electrical_test", 365), ("load_test", 182), ("calibration", 365))
LINES = ("Comfort", "Steady", "Bluewater", "Everglen")


def instances(world, rng):
    """Many things on loan at several addresses, some with a test due by a day, some under an open recall."""
    today = datetime.date.fromisoformat(world.clock[:10])
    types = {row["name"]: row["id"] for row in world.query("SELECT name, id FROM item_types ORDER BY id DESC")}
    technician = world.one("SELECT id FROM volunteers WHERE role = 'technician' ORDER BY id LIMIT 1")["id"]
    nurse = world.one("SELECT id FROM prescribers ORDER BY id DESC LIMIT 1")["id"]
    start = world.one(
        "SELECT (SELECT COUNT(*) FROM household_members) AS members, (SELECT MAX(id) FROM clients) AS client,"
        " (SELECT MAX(id) FROM households) AS household, (SELECT MAX(id) FROM items) AS item, (SELECT MAX(id) FROM requests) AS request,"
        " (SELECT MAX(id) FROM loans) AS loan, (SELECT MAX(id) FROM service_history_entries) AS entry, (SELECT MAX(id) FROM recalls) AS recall"
    )
    spans = dict(SPANS)
    for _ in range(3000):
        by = today + datetime.timedelta(days=rng.randint(14, 75))
        given = {"clients": [], "households": [], "household_members": [], "items": [], "requests": [], "loans": [], "service_history_entries": [], "recalls": [], "recall_items": []}
        recalls = {}
        for number, (kind, line) in enumerate(rng.sample([(care[0], line) for care in CARE for line in LINES], 5)):
            closed = number == 4
            opened = today - datetime.timedelta(days=rng.randint(5, 40))
            given["recalls"].append({"id": start["recall"] + 1 + number, "item_type_id": types[kind], "maker": "Tidewater", "model": f"{line} {types[kind]}", "serial_from": None, "serial_to": None, "reason": rng.choice(("A weld may crack", "The plug can overheat", "A catch may come loose")), "status": "closed" if closed else "open", "opened_on": opened.isoformat(), "closed_on": (today - datetime.timedelta(days=1)).isoformat() if closed else None})
            recalls[(kind, line)] = (start["recall"] + 1 + number, closed)
        people = rng.sample(FOLK, rng.randint(5, 6))
        for number, name in enumerate(people):
            client, household = start["client"] + 1 + number, start["household"] + 1 + number
            given["clients"].append({"id": client, "name": name, "phone": f"902-555-{rng.randint(200, 899):04d}", "weight_kg": float(rng.randint(48, 99))})
            given["households"].append({"id": household, "address": f"{5 + number * 30 + rng.randint(0, 29)} {rng.choice(LANES)}", "contact_client_id": 1, "stairs_noted": 0})
            given["household_members"].append({"household_id": household, "client_id": client})
            for kind, weeks, tests in rng.sample(CARE, rng.randint(3, 5)):
                place = len(given["items"]) + 1
                item, loan, request = start["item"] + place, start["loan"] + place, start["request"] + place
                line = rng.choice(LINES)
                out = today - datetime.timedelta(days=rng.randint(3, 24))
                while out.weekday() > 4:
                    out -= datetime.timedelta(days=1)
                letter = {"pressure mattress": "M", "syringe pump": "P"}.get(kind, kind[0].upper())
                given["items"].append({"id": item, "tag": f"{letter}-{900 + place}", "item_type_id": types[kind], "maker": "Tidewater", "model": f"{line} {types[kind]}", "serial": f"TW{place + 100}", "weight_limit_kg": 180.0, "width_cm": None, "status": "on_loan"})
                given["requests"].append({"id": request, "client_id": client, "item_type_id": types[kind], "requested_at": f"{out - datetime.timedelta(days=13)}T10:50:00", "priority": 3, "prescriber_id": nurse, "min_width_cm": None, "moved_back_at": None, "status": "accepted", "closed_at": f"{out - datetime.timedelta(days=4)}T13:15:00"})
                given["loans"].append({"id": loan, "client_id": client, "item_id": item, "request_id": request, "status": "on_loan", "reserved_until": None, "out_on": out.isoformat(), "due_on": (out + datetime.timedelta(weeks=weeks)).isoformat(), "renewals_used": 0, "soiled_at": None, "collection_asked_on": None, "returned_on": None, "deposit_cents": 0, "deposit_refunded_on": None})
                for test in tests:
                    due = out + datetime.timedelta(days=rng.choice((29, 33, 40, 47, 58, 66, 80, 110, 150)))
                    rows = [(due - datetime.timedelta(days=spans[test]), due)]
                    if rng.random() < 0.3:
                        again = out - datetime.timedelta(days=rng.randint(1, 20))
                        rows.append((again, again + datetime.timedelta(days=spans[test])))
                    for done, following in rows:
                        given["service_history_entries"].append({"id": start["entry"] + 1 + len(given["service_history_entries"]), "item_id": item, "volunteer_id": technician, "kind": test, "done_on": done.isoformat(), "result": "pass", "next_due_on": following.isoformat()})
                if (kind, line) in recalls:
                    recall, closed = recalls[(kind, line)]
                    given["recall_items"].append({"recall_id": recall, "item_id": item, "outcome": rng.choice(("repaired", "unaffected")) if closed else rng.choice((None, None, None, "repaired"))})
        if not 18 <= len(given["items"]) <= 30:
            continue
        pairs = {(recall["item_type_id"], recall["model"]) for recall in given["recalls"]}
        held = {(item["item_type_id"], item["model"]) for item in given["items"]}
        if not any(row["outcome"] is None for row in given["recall_items"]) or not pairs & held:
            continue
        last = {}
        for row in given["service_history_entries"]:
            key = (row["item_id"], row["kind"])
            last[key] = max(last.get(key, ""), row["next_due_on"])
        soon = {key[0] for key, due in last.items() if due <= by.isoformat()}
        if not 2 <= len(soon) <= 9:
            continue
        yield {"p": {"day": by.isoformat()}, "given": given}


def solve(tools, p):
    due = []
    recalled = []
    neither = 0
    for loan in tools.list_loans(status="on_loan")["loans"]:
        item = tools.get_item(item_id=loan["item_id"])
        last = {}
        for entry in item["service_history"]:
            if entry["next_due_on"] is not None:
                last[entry["kind"]] = max(last.get(entry["kind"], ""), entry["next_due_on"])
        soon = any(day <= p["day"] for day in last.values())
        blocked = any(recall["status"] == "open" and recall["outcome"] is None for recall in item["recalls"])
        if soon:
            due.append(item["tag"])
        if blocked:
            recalled.append(item["tag"])
        if not soon and not blocked:
            neither += 1
    return {
        "outcome": "done",
        "answers": {"test_due": due, "recalled": recalled, "neither": neither},
        "reason": None,
        "message": f"Test due by then: {', '.join(due)}. Under recall: {', '.join(recalled)}. {neither} things have neither.",
    }


def _lists(world, p):
    """The tags of all things on loan to the user's households, of those with a test due, and of those recalled."""
    base = world.initial
    things = base.query(
        "SELECT i.id, i.tag FROM loans l JOIN items i ON i.id = l.item_id JOIN household_members m ON m.client_id = l.client_id"
        " JOIN households h ON h.id = m.household_id WHERE l.status = 'on_loan' AND (h.contact_client_id = 1 OR EXISTS ("
        " SELECT 1 FROM household_members u WHERE u.household_id = h.id AND u.client_id = 1)) ORDER BY i.id"
    )
    due, recalled = [], []
    for thing in things:
        tests = base.query(
            "SELECT kind, MAX(next_due_on) AS day FROM service_history_entries WHERE item_id = ? AND next_due_on IS NOT NULL"
            " GROUP BY kind ORDER BY kind",
            [thing["id"]],
        )
        if any(test["day"] <= p["day"] for test in tests):
            due.append(thing["tag"])
        if base.one(
            "SELECT 1 AS found FROM recall_items x JOIN recalls r ON r.id = x.recall_id"
            " WHERE x.item_id = ? AND x.outcome IS NULL AND r.status = 'open' LIMIT 1",
            [thing["id"]],
        ):
            recalled.append(thing["tag"])
    return [thing["tag"] for thing in things], due, recalled


def goal_names_what_has_a_test_due(world, p):
    """Names the things with a test due by the day."""
    return world.report.says("test_due", _lists(world, p)[1])


def goal_names_what_is_recalled(world, p):
    """Names the things under an open recall that are not dealt with."""
    return world.report.says("recalled", _lists(world, p)[2])


def goal_counts_those_with_neither(world, p):
    """Says how many things have neither."""
    tags, due, recalled = _lists(world, p)
    return world.report.says("neither", sum(1 for tag in tags if tag not in due and tag not in recalled))


def guard_changes_nothing(world, p):
    """Changed nothing."""
    return len(world.changes) == 0


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done") and world.report.reason is None
