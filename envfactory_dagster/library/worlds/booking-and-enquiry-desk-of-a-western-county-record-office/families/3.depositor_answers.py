import datetime

THINGS = ("letters to the agent", "estate correspondence", "household book", "drainage papers", "turf accounts", "garden book", "travel journal", "sale papers")
PURPOSES = ("Tracing my mother's family on the holding.", "A study of wages in the parish.", "An article for the local journal.", "The history of our own townland.", "A talk to the school about the place.")


def _ago(day, days):
    return (datetime.date.fromisoformat(day) - datetime.timedelta(days=days)).isoformat()


def instances(world, rng):
    """Two to four readers with open applications on one depositor's papers, and a few that are none of the depositor's business."""
    today = world.clock[:10]
    papers = world.query("SELECT c.id, c.collection_ref AS ref, c.title, c.depositor_name FROM collections c WHERE c.depositor_name IS NOT NULL ORDER BY c.id", [])
    other = world.one("SELECT c.id, c.collection_ref AS ref FROM collections c WHERE c.record_class = 'parish' ORDER BY c.id LIMIT 1", [])
    readers = world.query(
        "SELECT r.id, r.forenames || ' ' || r.surname AS name FROM readers r WHERE r.role = 'reader' AND r.ticket_kind = 'full' AND r.ticket_status = 'active' AND r.ticket_valid_until >= ?"
        " AND NOT EXISTS (SELECT 1 FROM access_cases a WHERE a.reader_id = r.id AND a.status = 'open')"
        " AND (SELECT count(*) FROM readers o WHERE o.forenames = r.forenames AND o.surname = r.surname) = 1 ORDER BY r.id",
        [today],
    )
    tops = world.one("SELECT (SELECT max(id) FROM access_cases) AS a, (SELECT max(id) FROM pieces) AS p, (SELECT max(id) FROM restrictions) AS x", [])
    for _ in range(3000):
        where, people = rng.choice(papers), rng.sample(readers, rng.randrange(2, 5))
        pieces, restrictions, cases, links, granted, refused = [], [], [], [], [], []
        labels = rng.sample(THINGS, 6)
        for nth in range(6):
            home, year = (where if nth < 4 else other), rng.randrange(1830, 1920)
            pieces.append({"id": tops["p"] + 1 + nth, "piece_ref": f"{home['ref']}/{401 + nth}/{rng.randrange(1, 99)}", "collection_id": home["id"], "title": f"{labels[nth].capitalize()} {year}", "description": "On deposit.", "place": None, "place_irish": None, "place_survey": None, "first_year": year, "last_entry_on": f"{year}-10-31", "extent": f"{rng.randrange(40, 160)} pages", "format": "volume", "location": "mill_strongroom", "condition_grade": 2 if nth < 4 else 4, "camera_allowed": 1, "staff_copy_allowed": 1, "rights_holder": where["depositor_name"] if nth < 4 else None, "surrogate_piece_id": None})
            restrictions.append({"id": tops["x"] + 1 + nth, "piece_id": pieces[-1]["id"], "kind": "depositor_consent" if nth < 4 else "fragile_original", "reason": "Depositor's consent wanted" if nth < 4 else "Leaves torn", "lapses_on": None})
        for reader in people:
            mine = [(n, "depositor_consent") for n in rng.sample(range(4), rng.randrange(1, 4))]
            if rng.random() < 0.6:
                mine.append((rng.choice([4, 5]), "conservator_word"))
            for nth, kind in mine:
                key = tops["a"] + 1 + len(cases)
                use = rng.choice(["view", "camera", "staff_copy", "publish", "publish"]) if kind == "depositor_consent" else "view"
                cases.append({"id": key, "case_no": f"A-{30001 + len(cases)}", "reader_id": reader["id"], "kind": kind, "use": use, "purpose": rng.choice(PURPOSES), "status": "open", "opened_on": _ago(today, rng.randrange(7, 20)), "conditions": None, "decided_by_role": None, "decided_by_name": None, "decided_on": None, "recorded_at": None})
                links.append({"access_case_id": key, "piece_id": pieces[nth]["id"]})
                if kind == "depositor_consent":
                    (refused if use == "publish" else granted).append(key)
        if not granted or not refused or len(granted) == len(refused) or len(granted) + len(refused) < 4:
            continue
        yield {
            "p": {"names": [r["name"] for r in people], "papers": where["title"], "depositor": where["depositor_name"], "day": _ago(today, rng.randrange(1, 6)), "granted": granted, "refused": refused},
            "given": {"pieces": pieces, "restrictions": restrictions, "access_cases": cases, "access_case_pieces": links},
        }


def solve(tools, p):
    refs, total = [], 1
    while len(refs) < total:
        page = tools.search_catalogue(text=p["papers"], limit=100, offset=len(refs))
        total = page["total"]
        refs += [hit["piece_ref"] for hit in page["hits"]]
    granted, refused = 0, 0
    for name in p["names"]:
        found = tools.find_readers(surname=name.split()[-1], forename=name.split()[0])["readers"]
        ticket = next(r["ticket_no"] for r in found if r["name"] == name)
        for case in tools.get_reader(ticket_no=ticket, include=["access_cases"])["access_cases"]:
            if case["status"] != "open" or case["kind"] != "depositor_consent" or not all(ref in refs for ref in case["piece_refs"]):
                continue
            outcome = "refused" if case["use"] == "publish" else "granted"
            tools.record_access_decision(case_id=case["case_id"], outcome=outcome, decided_by_role="depositor", decided_by_name=p["depositor"], decided_on=p["day"], evidence="letter_on_file")
            granted += 1 if outcome == "granted" else 0
            refused += 1 if outcome == "refused" else 0
    return {
        "outcome": "done",
        "answers": {"granted": granted, "refused": refused},
        "reason": None,
        "message": f"{granted} applications are entered as granted and {refused} as refused.",
    }


def _entered(world, p, key, status):
    row = world.final.one(
        "SELECT count(*) AS n FROM access_cases WHERE id = ? AND status = ? AND decided_by_role = 'depositor' AND same_text(decided_by_name, ?) AND decided_on = ? AND conditions IS NULL",
        [key, status, p["depositor"], p["day"]],
    )
    return row["n"] == 1


def goal_enters_what_is_granted(world, p):
    """Every application on these papers that is not to publish is entered as granted by the depositor on that day."""
    return all(_entered(world, p, key, "granted") for key in p["granted"])


def goal_enters_what_is_refused(world, p):
    """Every application to publish from these papers is entered as refused by the depositor on that day."""
    return all(_entered(world, p, key, "refused") for key in p["refused"])


def goal_says_how_many_are_granted(world, p):
    """Says how many applications were granted."""
    return world.report.says("granted", len(p["granted"]))


def goal_says_how_many_are_refused(world, p):
    """Says how many applications were refused."""
    return world.report.says("refused", len(p["refused"]))


def guard_decides_no_other_case(world, p):
    """Changed nothing but the decisions on these applications."""
    allowed = ("status", "decided_by_role", "decided_by_name", "decided_on", "recorded_at", "conditions")
    for change in world.changes:
        before, after = change["before"], change["after"]
        if change["table"] != "access_cases" or before is None or after is None or before["id"] not in p["granted"] + p["refused"]:
            return False
        if any(before[c] != after[c] for c in before if c not in allowed):
            return False
    return True


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")
