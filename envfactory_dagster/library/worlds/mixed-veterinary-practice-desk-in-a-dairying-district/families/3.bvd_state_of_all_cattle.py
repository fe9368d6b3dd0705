import datetime

CASES = ("negative_new", "negative_new", "negative_new", "on_the_day", "day_before", "old_only", "none", "positive_new", "positive_then_clear", "positive_old", "blood_only", "late_report")


def instances(world, rng):
    """The cattle of the user with some fifteen more, tested for BVD at different times and with different results, and a day since when it counts."""
    top = world.one("SELECT (SELECT MAX(id) FROM patients) AS patient, (SELECT MAX(id) FROM test_results) AS test")
    names = {r["name"] for r in world.query("SELECT name FROM patients WHERE client_id = 1 AND species = 'cattle' AND kind = 'animal'")}
    today = datetime.date.fromisoformat(world.clock[:10])
    for _ in range(200):
        since = today - datetime.timedelta(days=rng.randint(40, 160))
        numbers = rng.sample([n for n in range(100, 990) if "Cow %d" % n not in names], rng.randint(14, 18))
        ids = dict(top)
        rows = {"patients": [], "test_results": []}

        def result(kind, day, text, wait=5):
            ids["test"] += 1
            rows["test_results"].append({
                "id": ids["test"], "patient_id": ids["patient"], "kind": kind, "sampled_on": day.isoformat(),
                "reported_on": (day + datetime.timedelta(days=wait)).isoformat(), "result": text})

        def later():
            return since + datetime.timedelta(days=rng.randint(1, (today - since).days - 12))

        def earlier():
            return since - datetime.timedelta(days=rng.randint(2, 300))

        cases = ["positive_new", rng.choice(("positive_old", "positive_new")), "positive_then_clear", rng.choice(("none", "old_only", "blood_only", "day_before"))]
        cases += [rng.choice(CASES) for _ in range(len(numbers) - 4)]
        rng.shuffle(cases)
        for number, case in zip(numbers, cases):
            ids["patient"] += 1
            rows["patients"].append({
                "id": ids["patient"], "client_id": 1, "name": "Cow %d" % number, "kind": "animal", "species": "cattle", "head_count": 1})
            if case == "negative_new":
                result("bvd", later(), "BVD antigen negative")
                if rng.random() < 0.4:
                    result("bvd", earlier(), "BVD antigen negative")
            elif case == "on_the_day":
                result("bvd", since, "BVD antigen negative")
            elif case == "day_before":
                result("bvd", since - datetime.timedelta(days=1), "BVD antigen negative")
            elif case == "late_report":
                result("bvd", since - datetime.timedelta(days=2), "BVD antigen negative", 6)
            elif case == "old_only":
                result("bvd", earlier(), "BVD antigen negative")
            elif case == "positive_new":
                result("bvd", later(), "BVD antigen positive")
                if rng.random() < 0.5:
                    result("bvd", earlier(), "BVD antigen negative")
            elif case == "positive_then_clear":
                day = later()
                result("bvd", day - datetime.timedelta(days=rng.randint(21, 40)), "BVD antigen positive")
                result("bvd", day, "BVD antigen negative")
            elif case == "positive_old":
                result("bvd", earlier(), "BVD antigen positive")
            elif case == "blood_only":
                result("blood", later(), "Johne's antibody positive")
            if case != "blood_only" and rng.random() < 0.2:
                result("herd_test", later(), "Cell count %d,000 per mL" % rng.randint(80, 500))
        yield {"p": {"since": since.isoformat()}, "given": rows}


def solve(tools, p):
    missing = 0
    positive = []
    for beast in tools.search_patients(species="cattle")["patients"]:
        tests = [t for t in tools.list_test_results(patient_id=beast["id"])["test_results"] if t["kind"] == "bvd"]
        if not any(t["sampled_on"] >= p["since"] for t in tests):
            missing += 1
        if tests:
            newest = max(tests, key=lambda t: t["sampled_on"])
            if "positive" in newest["result"].lower():
                positive.append(beast["name"])
    return {
        "outcome": "done",
        "answers": {"not_sampled_since": missing, "latest_positive": positive},
        "reason": None,
        "message": f"{missing} have no BVD sample taken on {p['since']} or later; positive in their latest BVD test: {', '.join(positive)}.",
    }


def _cattle(world):
    return world.initial.query("SELECT id, name FROM patients WHERE client_id = 1 AND species = 'cattle' ORDER BY id")


def _tests(world):
    found = {}
    for row in world.initial.query("SELECT patient_id, sampled_on, result FROM test_results WHERE kind = 'bvd' ORDER BY sampled_on, id"):
        found.setdefault(row["patient_id"], []).append(row)
    return found


def goal_says_how_many_were_not_sampled(world, p):
    """Says how many have had no BVD sample since that day."""
    tests = _tests(world)
    return world.report.says("not_sampled_since", sum(not any(t["sampled_on"] >= p["since"] for t in tests.get(b["id"], [])) for b in _cattle(world)))


def goal_says_which_are_positive(world, p):
    """Says which were positive in their latest BVD test."""
    tests = _tests(world)
    names = [b["name"] for b in _cattle(world) if b["id"] in tests and "positive" in tests[b["id"]][-1]["result"].lower()]
    return world.report.says("latest_positive", names)


def guard_changes_nothing(world, p):
    """Changed no row."""
    return len(world.changes) == 0


def guard_reports_it_as_done(world, p):
    """Reports that it is done, for no rule."""
    return world.report.outcome in (None, "done") and world.report.reason is None
